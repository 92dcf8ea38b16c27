import type { EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { Fault } from '#fault';
import type { Wakeup } from '../wakeup';
import { Consuming } from './consuming';
import { contiguous, nextOffsetAfter, type Lane, type LaneRecords } from './lane';
import type { ReadAhead } from './read-ahead';

interface IntakeOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly group: string;
  readonly ahead: ReadAhead;
  /** Notified when the caller took some of what was read ahead. */
  readonly spaceFreed: Wakeup;
  readonly ending: AbortSignal;
  readonly read: (slice: readonly KafkaMessage[], partition: number, lane: Lane) => Promise<LaneRecords>;
  /** The group was (re)joined with these partitions; lanes may be opened and closed. */
  readonly onAssigned: (partitions: readonly number[], member: string) => void;
  /** A lane has moved on. */
  readonly onNews: (partition: number, lane: Lane) => void;
  readonly onFault: (fault: Fault) => void;
  readonly onTrouble: (error: Error) => void;
}

const lookMs = 1_000;

/**
 * Reads one topic, each partition from where its lane says, as far ahead as there is room. What Kafka delivers from
 * before a seek took effect is dropped; a hole is told.
 */
export class TopicIntake {
  private readonly lanes = new Map<number, Lane>();
  private readonly consuming: Consuming;

  constructor(private readonly options: IntakeOptions) {
    const { kafka, topic, group, onTrouble } = options;
    this.consuming = new Consuming({
      kafka,
      topic,
      group,
      onTrouble,
      onAssigned: (partitions, member) => this.assign(partitions, member),
      onBatch: (payload) => this.receive(payload),
    });
  }

  get group(): string {
    return this.options.group;
  }

  get topic(): string {
    return this.options.topic;
  }

  get isIdle(): boolean {
    return this.lanes.size === 0;
  }

  start(): void {
    this.consuming.start();
  }

  /** Resolves when the group has been left. */
  close(): Promise<void> {
    this.lanes.clear();
    return this.consuming.close();
  }

  /** Always a new lane: what is still in hand for an earlier one is not taken any more. */
  open(partition: number, lane: Lane): void {
    this.lanes.set(partition, lane);
    this.consuming.seek(partition, lane.expected);
    this.consuming.resume([partition]);
  }

  end(...partitions: readonly number[]): void {
    for (const partition of partitions) this.lanes.delete(partition);
    this.consuming.pause(partitions);
    this.options.spaceFreed.notify();
  }

  endAll(): void {
    this.end(...this.lanes.keys());
  }

  /** The lanes that are open, as they are now. */
  opened(): ReadonlyMap<number, Readonly<Lane>> {
    return new Map([...this.lanes].map(([partition, lane]) => [partition, { ...lane }]));
  }

  private assign(partitions: readonly number[], member: string): void {
    this.options.onAssigned(partitions, member);
    for (const partition of partitions) {
      const lane = this.lanes.get(partition);
      if (lane !== undefined) this.open(partition, { ...lane });
    }
    this.consuming.pause(partitions.filter((partition) => !this.lanes.has(partition)));
  }

  /** Takes what is next of a partition, in slices as there is room for them. */
  private async receive(payload: EachBatchPayload): Promise<void> {
    const { ahead, spaceFreed, ending, read, onNews, onFault } = this.options;
    const { batch } = payload;
    const { partition } = batch;
    const lane = this.lanes.get(partition);
    if (lane === undefined) return;
    const ours = (): boolean =>
      this.lanes.get(partition) === lane && payload.isRunning() && !payload.isStale() && !ending.aborted;
    let messages = batch.messages.filter(({ offset }) => Number(offset) >= lane.expected);
    if (messages.length === 0 && ours()) return this.consuming.seek(partition, lane.expected);
    while (messages.length > 0 && ours()) {
      const found = Number(messages[0]?.offset);
      if (found !== lane.expected) return this.doubt(lane, partition, found);
      const slice = contiguous(messages);
      messages = messages.slice(slice.length);
      while (ahead.isFull && ours()) {
        await spaceFreed.wait(AbortSignal.timeout(lookMs), ending);
        await payload.heartbeat();
      }
      if (!ours()) return;
      const { records, fault } = await read(slice, partition, lane);
      if (!ours()) return;
      for (const record of records) ahead.add(record);
      if (lane.wanted !== undefined) lane.wanted = nextOffsetAfter(records, lane.wanted);
      delete lane.suspect;
      lane.expected += slice.length;
      payload.resolveOffset(String(lane.expected - 1));
      if (fault !== undefined) onFault(fault);
      onNews(partition, lane);
      await payload.heartbeat();
    }
  }

  /** Asks again first: with several brokers, a late answer to an earlier question looks like a hole. */
  private doubt(lane: Lane, partition: number, found: number): void {
    if (lane.suspect !== found) {
      lane.suspect = found;
      this.consuming.seek(partition, lane.expected);
      return;
    }
    this.options.onFault(gapFault(partition, lane.expected, found));
  }
}

export const gapFault = (partition: number, wanted: number, found: number): Fault =>
  new Fault(
    'broken',
    'log.gap',
    `offset ${wanted} of partition ${partition} is missing from the log; offset ${found} follows`,
    {
      hint: 'Records were removed from the log. Restore it from a backup; reading does not skip.',
      details: { partition, wanted, found },
    },
  );
