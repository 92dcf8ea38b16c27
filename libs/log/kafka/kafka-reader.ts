/**
 * Reads the base, where it begins below the tail, then the tail, each partition by itself. A plain reader has the
 * partitions that it was asked for and a group of its own; a follower has those that its group gives it.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import type { EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { Fault, isFault } from '#fault';
import type { LogFollower, ReadLimits, StartOf } from '../command-log';
import { firstRecords } from '../fair-take';
import { offsetAfter, type LogRecord } from '../record';
import { Wakeup } from '../wakeup';
import { beforeBase, beginnings, type Beginning } from './beginnings';
import { Consuming } from './consuming';
import type { Base } from './kafka-bases';
import { kafkaFault } from './kafka-faults';
import { isMark } from './marks';
import { ReadAhead } from './read-ahead';
import { placeOf, recordOf } from './record-message';
import type { OffsetRange } from './topic-admin';

/** What a reader sees of its log. */
export interface ReaderSource {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly readAheadBytes: number;
  readonly closing: AbortSignal;
  /** Waits until the log is open. */
  ranges(): Promise<ReadonlyMap<number, OffsetRange>>;
  /** Where each partition's tail begins without a base: behind the header. */
  begins(): ReadonlyMap<number, number>;
  base(): Promise<Base | undefined>;
  /** A group of the reader's own was left, or is about to be. */
  leaving(group: string, gone: Promise<void>): void;
  closed(reader: KafkaReader): void;
}

export type ReaderTask =
  { readonly start: ReadonlyMap<number, number> } | { readonly group: string; readonly startOf: StartOf };

/** A partition of a topic that is being read. */
interface Lane {
  expected: number;
  /** Offset that came instead of the expected one, once; it may have been asked for before the last seek. */
  suspect?: number;
  /** Of a base: all below is read, and from which original offset on the records are wanted. */
  readonly until?: number;
  wanted?: number;
}

const sliceRecords = 64;
const sliceBytes = 2 << 20;
const tendMs = 2_000;
/** Trouble that lasts for so long is told to who waits. */
const troubleMs = 20_000;
/** A reader that gets nothing looks so often whether the log is still the one that it was. */
const lookMs = 6_000;

export class KafkaReader implements LogFollower {
  private readonly ahead: ReadAhead;
  private readonly wakeup = new Wakeup();
  private readonly room = new Wakeup();
  private readonly ending = new AbortController();
  private readonly tail: Consuming;
  private readonly tailLanes = new Map<number, Lane>();
  private readonly baseLanes = new Map<number, Lane>();
  private baseReading: Consuming | undefined;
  /** Of each partition that is ours, a token of its present assignment. */
  private readonly held = new Map<number, object>();
  private member = '';
  private fault: Fault | undefined;
  /** Told once; reading goes on by itself. */
  private passing: Error | undefined;
  private trouble: { readonly since: number; readonly error: Error } | undefined;
  private looked = performance.now();
  private tending: NodeJS.Timeout | undefined;
  private opening: Promise<void> | undefined;
  private isOpen = false;
  private closed: Promise<void> | undefined;

  constructor(
    private readonly source: ReaderSource,
    private readonly task: ReaderTask,
    private readonly fixedBase?: Base,
  ) {
    this.ahead = new ReadAhead(source.readAheadBytes);
    this.tail = new Consuming({
      kafka: source.kafka,
      topic: source.topic,
      group: 'group' in task ? task.group : `nodeledger-read-${randomUUID()}`,
      onAssigned: (partitions, member) => this.assign(partitions, member),
      onBatch: (payload) => this.receive(this.tail, this.tailLanes, payload),
      onTrouble: (error) => this.worry(error),
    });
    // A follower is of its group from the beginning, not only when it is first asked.
    if ('group' in task) this.open().catch(() => undefined);
  }

  async next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]> {
    const signals = [this.source.closing, this.ending.signal, signal];
    const over = (): boolean => signals.some((one) => one?.aborted);
    if (over()) return [];
    if (!this.isOpen) await Promise.race([this.open(), new Wakeup().wait(...signals)]);
    while (!over()) {
      const records = this.ahead.take(limits);
      if (records.length > 0) {
        this.room.notify();
        return records;
      }
      if (this.fault !== undefined) throw this.fault;
      const { passing } = this;
      this.passing = undefined;
      if (passing !== undefined) throw passing;
      await this.wakeup.wait(...signals);
      // What the same turn of the event loop brings of other partitions comes along.
      await immediate();
    }
    return [];
  }

  async rewind(): Promise<void> {
    const partitions = [...this.held.keys()];
    this.fault = undefined;
    for (const partition of partitions) {
      this.forget(partition);
      this.held.set(partition, {});
    }
    this.tail.pause(partitions);
    await this.ask(partitions);
  }

  close(): Promise<void> {
    this.closed ??= this.leave();
    return this.closed;
  }

  private async leave(): Promise<void> {
    this.ending.abort();
    this.source.closed(this);
    clearInterval(this.tending);
    this.room.notify();
    this.endBase();
    const gone = this.tail.close();
    if ('group' in this.task) await gone;
    // Nobody waits for the places of a plain reader.
    else this.source.leaving(this.tail.group, gone);
  }

  private open(): Promise<void> {
    this.opening ??= this.begin().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async begin(): Promise<void> {
    if ('start' in this.task) {
      const start = firstRecords(this.task.start);
      for (const partition of start.keys()) this.held.set(partition, {});
      this.place(await this.beginningsOf(start));
    } else {
      await this.source.ranges();
    }
    if (this.ending.signal.aborted) return;
    this.isOpen = true;
    this.tail.start();
    this.tending ??= setInterval(() => void this.tend(), tendMs).unref();
  }

  /** Joined: what is known is read on, what is new is asked for, the rest is left alone. */
  private assign(partitions: readonly number[], member: string): void {
    this.trouble = undefined;
    if ('group' in this.task) {
      const stays = member === this.member;
      this.member = member;
      for (const partition of [...this.held.keys()]) {
        if (stays && partitions.includes(partition)) continue;
        this.held.delete(partition);
        this.forget(partition);
      }
      const gained = partitions.filter((partition) => !this.held.has(partition));
      for (const partition of gained) this.held.set(partition, {});
      if (gained.length > 0) void this.ask(gained);
    }
    for (const partition of partitions) {
      const lane = this.tailLanes.get(partition);
      if (lane === undefined) continue;
      this.enterTail(partition, lane.expected);
    }
    this.tail.pause(partitions.filter((partition) => !this.tailLanes.has(partition)));
  }

  /** Asks a follower's owner where to begin; where that fails for a passing reason, again a little later. */
  private async ask(partitions: readonly number[]): Promise<void> {
    if (!('startOf' in this.task) || partitions.length === 0) return;
    const tokens = new Map(partitions.map((partition) => [partition, this.held.get(partition)]));
    const current = (): number[] =>
      partitions.filter((partition) => this.held.has(partition) && this.held.get(partition) === tokens.get(partition));
    while (!this.ending.signal.aborted) {
      const asked = current();
      if (asked.length === 0) return;
      try {
        const given = await this.task.startOf(asked);
        const start = firstRecords(new Map(asked.map((partition) => [partition, given.get(partition) ?? 0])));
        const places = await this.beginningsOf(start);
        const still = new Set(current());
        this.place(new Map([...places].filter(([partition]) => still.has(partition))));
        return;
      } catch (error) {
        if (isFault(error) && error.kind !== 'busy') return this.stop(error);
        this.passing = error instanceof Error ? error : new Error(String(error));
        this.wakeup.notify();
      }
      await delay(500, undefined, { signal: this.ending.signal }).catch(() => undefined);
    }
  }

  private async beginningsOf(start: ReadonlyMap<number, number>): Promise<ReadonlyMap<number, Beginning>> {
    const [ranges, base] = await Promise.all([this.source.ranges(), this.fixedBase ?? this.source.base()]);
    return beginnings(start, { ranges, base, begins: this.source.begins(), topic: this.source.topic });
  }

  private place(places: ReadonlyMap<number, Beginning>): void {
    let base: Base | undefined;
    for (const [partition, place] of places) {
      this.ahead.begin(partition, place.offset);
      if (place.base === undefined) {
        this.enterTail(partition, place.offset);
      } else {
        ({ base } = place);
        // Offset 0 is the base's header.
        const until = place.base.highs.get(partition) as number;
        this.baseLanes.set(partition, { expected: 1, until, wanted: place.offset });
      }
    }
    if (base !== undefined) this.readBase(base);
  }

  /** With a new lane: what an earlier consumer still has in hand is not taken any more. */
  private enterTail(partition: number, offset: number): void {
    this.tailLanes.set(partition, { expected: offset });
    this.tail.seek(partition, offset);
    this.tail.resume([partition]);
  }

  private readBase(base: Base): void {
    // One that is under way may not have these partitions; what it has not brought yet is read again.
    this.endBase();
    for (const [partition, lane] of this.baseLanes) this.baseLanes.set(partition, { ...lane });
    const reading: Consuming = new Consuming({
      kafka: this.source.kafka,
      topic: base.topic,
      group: `nodeledger-read-${randomUUID()}`,
      onAssigned: (partitions) => {
        this.trouble = undefined;
        for (const partition of partitions) {
          const lane = this.baseLanes.get(partition);
          if (lane === undefined) continue;
          this.baseLanes.set(partition, { ...lane });
          reading.seek(partition, lane.expected);
        }
        reading.pause(partitions.filter((partition) => !this.baseLanes.has(partition)));
      },
      onBatch: async (payload) => {
        await this.receive(reading, this.baseLanes, payload);
        const { partition } = payload.batch;
        const lane = this.baseLanes.get(partition);
        if (lane === undefined || lane.expected < (lane.until as number)) return;
        this.baseLanes.delete(partition);
        reading.pause([partition]);
        const tail = base.tails.get(partition) as number;
        if (lane.wanted !== tail) return this.stop(beforeBase(partition, lane.wanted as number));
        this.enterTail(partition, tail);
        if (this.baseLanes.size === 0 && this.baseReading === reading) this.endBase();
      },
      onTrouble: (error) => this.worry(error),
    });
    this.baseReading = reading;
    reading.start();
  }

  private endBase(): void {
    const reading = this.baseReading;
    this.baseReading = undefined;
    if (reading !== undefined) this.source.leaving(reading.group, reading.close());
  }

  private forget(partition: number): void {
    this.ahead.drop(partition);
    this.tailLanes.delete(partition);
    this.baseLanes.delete(partition);
    this.room.notify();
    if (this.baseLanes.size === 0) this.endBase();
  }

  /** Takes what is next of a partition, in slices as there is room for them; drops what was asked for before a seek. */
  private async receive(from: Consuming, lanes: ReadonlyMap<number, Lane>, payload: EachBatchPayload): Promise<void> {
    const { batch, heartbeat, isStale, isRunning, resolveOffset } = payload;
    const { partition } = batch;
    const lane = lanes.get(partition);
    if (lane === undefined || isStale()) return;
    const ours = (): boolean =>
      lanes.get(partition) === lane && isRunning() && !isStale() && !this.ending.signal.aborted;
    let messages = batch.messages.filter(({ offset }) => Number(offset) >= lane.expected);
    if (messages.length === 0) return from.seek(partition, lane.expected);
    while (messages.length > 0) {
      const found = Number((messages[0] as KafkaMessage).offset);
      if (found !== lane.expected) return this.doubt(from, lane, partition, found);
      const slice = contiguous(messages);
      messages = messages.slice(slice.length);
      while (this.ahead.isFull && ours()) {
        await this.room.wait(AbortSignal.timeout(1000), this.ending.signal);
        await heartbeat();
      }
      if (!ours()) return;
      const records = await this.recordsOf(slice, lane, partition);
      if (records === undefined || !ours()) return;
      for (const record of records) this.ahead.add(record);
      const last = records.at(-1);
      if (lane.wanted !== undefined && last !== undefined) lane.wanted = offsetAfter(last);
      lane.expected += slice.length;
      delete lane.suspect;
      resolveOffset(String(lane.expected - 1));
      this.looked = performance.now();
      this.trouble = undefined;
      if (records.length > 0) this.wakeup.notify();
      await heartbeat();
    }
  }

  /** Undefined where a message is none of ours: reading ends there. */
  private async recordsOf(
    slice: readonly KafkaMessage[],
    lane: Lane,
    partition: number,
  ): Promise<LogRecord[] | undefined> {
    try {
      if (lane.until !== undefined) return await this.baseRecords(slice, lane, partition);
      return await Promise.all(
        slice.map(async (message) => {
          const offset = Number(message.offset);
          const record = isMark(message) ? undefined : await recordOf(message, { partition, offset });
          if (record === undefined) throw strange(this.source.topic, partition, offset);
          return record;
        }),
      );
    } catch (error) {
      this.stop(
        isFault(error)
          ? error
          : new Fault('broken', 'log.foreign', `a record of partition ${partition} cannot be read`, { cause: error }),
      );
      return undefined;
    }
  }

  private async baseRecords(slice: readonly KafkaMessage[], lane: Lane, partition: number): Promise<LogRecord[]> {
    const ours = slice.filter((message) => !isMark(message));
    const records: LogRecord[] = [];
    let wanted = lane.wanted as number;
    for (const message of ours) {
      const place = placeOf(message);
      // Below what is wanted: before the start.
      if (place.offset < wanted) continue;
      if (place.offset !== wanted) throw beforeBase(partition, wanted);
      const record = await recordOf(message, { partition, ...place });
      if (record === undefined) throw strange(this.source.topic, partition, Number(message.offset));
      records.push(record);
      wanted = offsetAfter(record);
    }
    return records;
  }

  private doubt(from: Consuming, lane: Lane, partition: number, found: number): void {
    if (lane.suspect === found) {
      this.stop(
        new Fault(
          'broken',
          'log.gap',
          `offset ${lane.expected} of partition ${partition} is missing from the log; offset ${found} follows`,
          {
            hint: 'Records were removed from the log. Restore it from a backup; reading does not skip.',
            details: { partition, wanted: lane.expected, found },
          },
        ),
      );
      return;
    }
    lane.suspect = found;
    from.seek(partition, lane.expected);
  }

  private stop(fault: Fault): void {
    this.fault ??= fault;
    this.tail.pause([...this.tailLanes.keys()]);
    this.tailLanes.clear();
    this.baseLanes.clear();
    this.endBase();
    this.wakeup.notify();
  }

  private worry(error: Error): void {
    this.trouble ??= { since: performance.now(), error };
  }

  /** Tells lasting trouble, and looks whether what is waited for can still come. */
  private async tend(): Promise<void> {
    const now = performance.now();
    if (this.trouble !== undefined && now - this.trouble.since > troubleMs) {
      this.passing = kafkaFault(this.trouble.error, `reading topic ${this.source.topic}`);
      this.trouble = { ...this.trouble, since: now };
      this.wakeup.notify();
    }
    if (now - this.looked < lookMs || this.tailLanes.size === 0 || !this.ahead.isEmpty) return;
    this.looked = now;
    // As they are before the question: what comes meanwhile may lie past its answer.
    const lanes = [...this.tailLanes].map(([partition, lane]) => ({ partition, lane, expected: lane.expected }));
    try {
      const ranges = await this.source.ranges();
      for (const { partition, lane, expected } of lanes) {
        const range = ranges.get(partition);
        if (this.tailLanes.get(partition) !== lane || this.ending.signal.aborted) continue;
        if (range === undefined || range.high < expected) throw replaced(this.source.topic, partition);
        if (lane.expected < range.low) this.doubtTruncated(lane, partition, range.low);
      }
    } catch (error) {
      if (isFault(error) && error.kind !== 'busy') this.stop(error);
    }
  }

  private doubtTruncated(lane: Lane, partition: number, found: number): void {
    lane.suspect = found;
    this.doubt(this.tail, lane, partition, found);
  }
}

function contiguous(messages: readonly KafkaMessage[]): KafkaMessage[] {
  const slice: KafkaMessage[] = [];
  const first = Number((messages[0] as KafkaMessage).offset);
  let bytes = 0;
  for (const message of messages) {
    if (Number(message.offset) !== first + slice.length) break;
    bytes += message.value?.length ?? 0;
    if (slice.length > 0 && (slice.length >= sliceRecords || bytes > sliceBytes)) break;
    slice.push(message);
  }
  return slice;
}

const strange = (topic: string, partition: number, offset: number): Fault =>
  new Fault('broken', 'log.foreign', `offset ${offset} of partition ${partition} of topic ${topic} is no command`, {
    hint: 'Something else wrote into the topic. The log has to be restored from a backup, or made anew from an export.',
    details: { topic, partition, offset },
  });

const replaced = (topic: string, partition: number): Fault =>
  new Fault('broken', 'log.foreign', `partition ${partition} of topic ${topic} ends before what was read from it`, {
    hint: 'The topic was deleted and made anew, or lost its end. Restart the service: it says what can be done.',
    details: { topic, partition },
  });
