/**
 * Reads the base, where it begins below the tail, then the tail, each partition by itself. A plain reader has the
 * partitions that it was asked for and a group of its own; a follower has those that its group gives it.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { Fault, isFault } from '#fault';
import type { LogFollower, ReadLimits, StartOf } from '../command-log';
import { firstRecords } from '../round-robin';
import type { LogRecord } from '../record';
import { Wakeup } from '../wakeup';
import { beforeBase, readStarts, type ReadStart } from './read-starts';
import type { Base } from './kafka-bases';
import { kafkaFault } from './kafka-faults';
import { baseRecords, tailRecords } from './lane';
import { ReadAhead } from './read-ahead';
import type { OffsetRange } from './topic-admin';
import { gapFault, TopicIntake } from './topic-intake';

/** What a reader sees of its log. */
export interface ReaderSource {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly readAheadBytes: number;
  readonly closing: AbortSignal;
  ranges(): Promise<ReadonlyMap<number, OffsetRange>>;
  /** Where each partition's tail begins without a base: behind the header. */
  begins(): ReadonlyMap<number, number>;
  base(): Promise<Base | undefined>;
  /** A group of the reader's own is being left. */
  leaving(group: string, gone: Promise<void>): void;
  closed(reader: KafkaReader): void;
  /** It cannot read at the moment; with nothing, it can again. Told at each failure, and each time that something comes. */
  trouble(reader: KafkaReader, error?: Error): void;
}

export type ReaderTask =
  { readonly start: ReadonlyMap<number, number> } | { readonly group: string; readonly startOf: StartOf };

const tendMs = 2_000;
/** After this time, trouble is reported to whoever waits for records. */
const troubleMs = 20_000;
/** A reader that gets nothing checks at this interval that the log is still the same. */
const lookMs = 6_000;
const askAgainMs = 500;

export class KafkaReader implements LogFollower {
  private readonly ahead: ReadAhead;
  private readonly wakeup = new Wakeup();
  private readonly spaceFreed = new Wakeup();
  private readonly ending = new AbortController();
  private readonly tail: TopicIntake;
  private base: TopicIntake | undefined;
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
    const { topic } = source;
    this.ahead = new ReadAhead(source.readAheadBytes);
    this.tail = new TopicIntake({
      ...this.intake(topic),
      group: 'group' in task ? task.group : ownGroup(topic),
      read: (slice, partition) => tailRecords(slice, topic, partition),
      onAssigned: (partitions, member) => this.assign(partitions, member),
      onNews: () => this.news(),
    });
    // A follower is of its group from the beginning, not only when it is first asked.
    if ('group' in task) this.open().catch(() => undefined);
  }

  async next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]> {
    const signals = [this.source.closing, this.ending.signal, signal];
    const over = (): boolean => signals.some((one) => one?.aborted);
    if (over()) return [];
    if (!this.isOpen) await this.openUnless(signals);
    while (!over()) {
      const records = this.ahead.take(limits);
      if (records.length > 0) {
        this.spaceFreed.notify();
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
    await this.ask(partitions);
  }

  close(): Promise<void> {
    this.closed ??= this.leave();
    return this.closed;
  }

  private async leave(): Promise<void> {
    this.ending.abort();
    this.source.closed(this);
    this.source.trouble(this);
    clearInterval(this.tending);
    this.endBase();
    const gone = this.tail.close();
    if ('group' in this.task) await gone;
    // Nobody waits for the places of a plain reader.
    else this.source.leaving(this.tail.group, gone);
  }

  private async openUnless(signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    const opened = new Wakeup();
    try {
      await Promise.race([this.open(), opened.wait(...signals)]);
    } finally {
      // It stops listening to the signals, which outlive this attempt.
      opened.notify();
    }
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
      this.place(await this.readStartsOf(firstRecords(this.task.start)));
    } else {
      await this.source.ranges();
    }
    if (this.ending.signal.aborted) return;
    this.isOpen = true;
    this.tail.start();
    this.tending ??= setInterval(() => void this.tend(), tendMs).unref();
  }

  /** Joined: a follower reads on what it keeps, and asks where to begin with what is new. */
  private assign(partitions: readonly number[], member: string): void {
    this.recover();
    if (!('group' in this.task)) return;
    const stays = member === this.member;
    this.member = member;
    for (const partition of [...this.held.keys()]) {
      if (stays && partitions.includes(partition)) continue;
      this.held.delete(partition);
      this.forget(partition);
    }
    const gained = partitions.filter((partition) => !this.held.has(partition));
    for (const partition of gained) this.held.set(partition, {});
    void this.ask(gained);
  }

  /** Asks a follower's owner where to begin; where that fails for a passing reason, again a little later. */
  private async ask(partitions: readonly number[]): Promise<void> {
    if (!('startOf' in this.task) || partitions.length === 0) return;
    const { signal } = this.ending;
    const tokens = new Map(partitions.map((partition) => [partition, this.held.get(partition)]));
    const current = (): number[] =>
      partitions.filter((partition) => this.held.has(partition) && this.held.get(partition) === tokens.get(partition));
    while (!signal.aborted) {
      const asked = current();
      if (asked.length === 0) return;
      try {
        const given = await this.task.startOf(asked);
        const start = firstRecords(new Map(asked.map((partition) => [partition, given.get(partition) ?? 0])));
        const places = await this.readStartsOf(start);
        const still = new Set(signal.aborted ? [] : current());
        return this.place(new Map([...places].filter(([partition]) => still.has(partition))));
      } catch (error) {
        if (current().length === 0) return;
        if (isFault(error) && error.kind !== 'busy') return this.stop(error);
        this.passing = error instanceof Error ? error : new Error(String(error));
        this.wakeup.notify();
      }
      await delay(askAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async readStartsOf(start: ReadonlyMap<number, number>): Promise<ReadonlyMap<number, ReadStart>> {
    const { source } = this;
    // In this order: records that were there a moment ago, and are not any more, are in the base that took their place.
    const ranges = await source.ranges();
    const base = this.fixedBase ?? (await source.base());
    return readStarts(start, { ranges, base, begins: source.begins(), topic: source.topic });
  }

  private place(places: ReadonlyMap<number, ReadStart>): void {
    let base: Base | undefined;
    const below: [number, number][] = [];
    for (const [partition, place] of places) {
      this.ahead.begin(partition, place.offset);
      if (place.base === undefined) {
        this.tail.open(partition, { expected: place.offset });
      } else {
        ({ base } = place);
        below.push([partition, place.offset]);
      }
    }
    if (base !== undefined) this.readBase(base, below);
  }

  private readBase(base: Base, below: readonly (readonly [number, number])[]): void {
    const { topic } = this.base ?? {};
    const before = [...(this.base?.opened() ?? [])];
    // One that is under way may not have these partitions, or be of an earlier base; what it has in hand is read again.
    this.endBase();
    const reading: TopicIntake = new TopicIntake({
      ...this.intake(base.topic),
      group: ownGroup(this.source.topic),
      read: (slice, partition, lane) => baseRecords(slice, base.topic, partition, lane.wanted as number),
      onAssigned: () => this.recover(),
      onNews: (partition, lane) => {
        this.news();
        if (lane.expected < (lane.until as number)) return;
        reading.end(partition);
        const tail = base.tails.get(partition) as number;
        if (lane.wanted !== tail) return this.stop(beforeBase(partition, lane.wanted as number));
        this.tail.open(partition, { expected: tail });
        if (reading.isIdle && this.base === reading) this.endBase();
      },
    });
    const enter = (partition: number, wanted: number, expected: number): void =>
      reading.open(partition, { expected, until: base.highs.get(partition) as number, wanted });
    // Offset 0 is the base's header.
    for (const [partition, { expected, wanted = 1 }] of before) {
      enter(partition, wanted, topic === base.topic ? expected : 1);
    }
    for (const [partition, wanted] of below) enter(partition, wanted, 1);
    this.base = reading;
    reading.start();
  }

  private endBase(): void {
    const reading = this.base;
    this.base = undefined;
    if (reading !== undefined) this.source.leaving(reading.group, reading.close());
  }

  private forget(partition: number): void {
    this.ahead.drop(partition);
    this.tail.end(partition);
    this.base?.end(partition);
    if (this.base?.isIdle === true) this.endBase();
  }

  private news(): void {
    this.looked = performance.now();
    this.recover();
    this.wakeup.notify();
  }

  private recover(): void {
    this.trouble = undefined;
    this.source.trouble(this);
  }

  private stop(fault: Fault): void {
    this.fault ??= fault;
    this.tail.endAll();
    this.endBase();
    this.wakeup.notify();
  }

  /** Tells lasting trouble, and looks whether what is waited for can still come. */
  private async tend(): Promise<void> {
    const now = performance.now();
    if (this.trouble !== undefined && now - this.trouble.since > troubleMs) {
      this.passing = kafkaFault(this.trouble.error, `reading topic ${this.source.topic}`);
      this.trouble = { ...this.trouble, since: now };
      this.wakeup.notify();
    }
    if (now - this.looked < lookMs || this.tail.isIdle || !this.ahead.isEmpty) return;
    this.looked = now;
    // As it is before the question: what comes meanwhile may lie past its answer.
    const lanes = this.tail.opened();
    try {
      const ranges = await this.source.ranges();
      const now = this.tail.opened();
      for (const [partition, { expected }] of lanes) {
        if (!now.has(partition)) continue;
        const range = ranges.get(partition);
        if (range === undefined || range.high < expected) throw replaced(this.source.topic, partition);
        if (now.get(partition)?.expected === expected && expected < range.low)
          throw gapFault(partition, expected, range.low);
      }
    } catch (error) {
      if (isFault(error) && error.kind !== 'busy' && !this.ending.signal.aborted) this.stop(error);
    }
  }

  private intake(topic: string) {
    const { ahead, spaceFreed, ending } = this;
    const onFault = (fault: Fault): void => this.stop(fault);
    const onTrouble = (error: Error): void => {
      this.trouble ??= { since: performance.now(), error };
      if (!this.ending.signal.aborted) this.source.trouble(this, error);
    };
    return { kafka: this.source.kafka, topic, ahead, spaceFreed, ending: ending.signal, onFault, onTrouble };
  }
}

/** Named after the topic, so that rights to it can be given by prefix. */
const ownGroup = (topic: string): string => `${topic}.read-${randomUUID()}`;

const replaced = (topic: string, partition: number): Fault =>
  new Fault('broken', 'log.foreign', `partition ${partition} of topic ${topic} ends before what was read from it`, {
    hint: 'The topic was deleted and created again, or lost its end. Restart the service: it says what can be done.',
    details: { topic, partition },
  });
