import type { Database } from '#database';
import type { LogReader, ReaderOptions, ReadLimits } from '../command-log';
import { beforeBase, gap, noPartition, pastEnd } from '../read-faults';
import { firstRecords, takeRoundRobin } from '../round-robin';
import { offsetAfter, type LogRecord } from '../record';
import type { Wakeup } from '../wakeup';
import { copiedRecords } from './copied-records';
import type { RecordCache } from './record-cache';
import { copyBaseRecords, copyRecords, knownToBase } from './read-statements';

/** What a reader sees of its log. */
export interface ReaderSource {
  readonly db: Database;
  readonly cache: RecordCache;
  readonly wakeup: Wakeup;
  readonly closing: AbortSignal;
  /** Lowest offset of each partition that is not known to be readable yet; throws where the log is no longer ours. */
  knownEnds(): ReadonlyMap<number, number>;
  /** Asks the database for them. */
  refreshEnds(): Promise<void>;
  /** Returns the base that contains the records before the tail. */
  base(): CurrentBase;
  /** The reader has moved on. */
  moved(): void;
  closed(reader: EmbeddedReader): void;
}

/** A base by its number (0: none), and where the tail behind it begins in each partition. */
export interface CurrentBase {
  readonly base: number;
  readonly tails: ReadonlyMap<number, number>;
}

export class EmbeddedReader implements LogReader {
  /** Partition to the offset that comes next. */
  readonly position: Map<number, number>;
  private readonly ending = new AbortController();
  private checked = false;
  private cacheTurn = true;

  constructor(
    private readonly source: ReaderSource,
    private readonly start: ReadonlyMap<number, number>,
    private readonly options: ReaderOptions,
  ) {
    this.position = firstRecords(start);
  }

  async next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]> {
    const { source } = this;
    const signals = [source.closing, this.ending.signal, signal];
    const over = (): boolean => signals.some((one) => one?.aborted);
    if (!this.checked && !over()) await this.check();
    while (!over()) {
      const records = await this.take(limits);
      if (records.length > 0) return records;
      await source.wakeup.wait(...signals);
    }
    return [];
  }

  close(): Promise<void> {
    if (!this.ending.signal.aborted) {
      this.ending.abort();
      this.source.closed(this);
    }
    return Promise.resolve();
  }

  /** Positions that this log never gave out belong to another one, or to one that lost its end. */
  private async check(): Promise<void> {
    await this.source.refreshEnds();
    const ends = this.source.knownEnds();
    for (const [partition, offset] of this.position) {
      const end = ends.get(partition);
      if (end === undefined) throw noPartition(partition);
      if (offset > end) throw pastEnd(partition, offset, end);
    }
    await this.checkBase();
    this.checked = true;
  }

  /** A base knows the places of its own records only; 0 stands for the begin of everything. */
  private async checkBase(): Promise<void> {
    const { base, tails } = this.source.base();
    const below = new Map(
      [...this.position].filter(
        ([partition, offset]) => offset < (tails.get(partition) as number) && this.start.get(partition) !== 0,
      ),
    );
    if (below.size === 0) return;
    const known = await this.source.db.query<{ partition: number }>(knownToBase(base, below));
    for (const { partition } of known) below.delete(partition);
    for (const [partition, offset] of below) {
      throw beforeBase(partition, offset);
    }
  }

  private async take(limits: ReadLimits): Promise<LogRecord[]> {
    const { cache } = this.source;
    const ends = this.source.knownEnds();
    const { base, tails } = this.source.base();
    const cached = new Map<number, number>();
    const stored = new Map<number, number>();
    const based = new Map<number, number>();
    for (const [partition, offset] of this.position) {
      if (offset < (tails.get(partition) as number)) {
        based.set(partition, offset);
        continue;
      }
      if (offset >= (ends.get(partition) as number)) continue;
      (cache.get(partition, offset) === undefined ? stored : cached).set(partition, offset);
    }
    if (based.size > 0) {
      const records = await this.readBase(base, tails, based, limits);
      if (records.length > 0) return records;
      return this.take(limits);
    }
    if (cached.size === 0 && stored.size === 0) return [];
    // Where both have something, they take turns.
    this.cacheTurn = stored.size === 0 || (cached.size > 0 && !this.cacheTurn);
    const records = this.cacheTurn
      ? takeRoundRobin(this.position, limits, (partition, offset) => cache.get(partition, offset))
      : await this.read(stored, limits);
    this.source.moved();
    return records;
  }

  /** The base comes whole before any of the tail; a partition of which it has nothing (more) goes on with its tail. */
  private async readBase(
    base: number,
    tails: ReadonlyMap<number, number>,
    wanted: ReadonlyMap<number, number>,
    limits: ReadLimits,
  ): Promise<LogRecord[]> {
    const records = await copiedRecords(
      this.source.db,
      copyBaseRecords(base, tails, wanted, limits, this.options.inParts),
      this.options.inParts,
    );
    const next = new Map(wanted);
    for (const record of records) {
      const { partition, offset } = record;
      const expected = next.get(partition) as number;
      const begins = this.start.get(partition) === 0 && expected === 1;
      if (offset !== expected && !begins) throw gap(partition, expected, offset);
      next.set(partition, offsetAfter(record));
    }
    for (const [partition, offset] of next) this.position.set(partition, offset);
    if (records.length > 0) return records;
    for (const [partition, offset] of wanted) {
      if (this.start.get(partition) !== 0 || offset > 1) throw gap(partition, offset, undefined);
      this.position.set(partition, tails.get(partition) as number);
    }
    return records;
  }

  private async read(wanted: ReadonlyMap<number, number>, limits: ReadLimits): Promise<LogRecord[]> {
    const records = await copiedRecords(
      this.source.db,
      copyRecords(wanted, limits, this.options.inParts),
      this.options.inParts,
    );
    const next = new Map(wanted);
    for (const { partition, offset } of records) {
      if (offset !== next.get(partition)) throw gap(partition, next.get(partition) as number, offset);
      next.set(partition, offset + 1);
    }
    const [first] = wanted;
    if (records.length === 0 && first !== undefined) throw gap(...first, undefined);
    for (const [partition, offset] of next) this.position.set(partition, offset);
    return records;
  }
}
