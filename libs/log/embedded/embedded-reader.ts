import type { Database } from '#database';
import type { LogReader, ReaderOptions, ReadLimits } from '../command-log';
import { beforeBase, gap, noPartition, pastEnd } from '../read-faults';
import { firstRecords } from '../round-robin';
import { offsetAfter, type LogRecord } from '../record';
import type { Wakeup } from '../wakeup';
import { copiedRecords } from './copied-records';
import type { PieceMemory } from './pieces/piece-memory';
import { copyBaseRecords, copyRecords, knownToBase } from './read-statements';

export interface ReaderSource {
  readonly db: Database;
  readonly pieces: PieceMemory;
  readonly wakeup: Wakeup;
  readonly closing: AbortSignal;
  /** All records before these offsets can be read. Throws if the log was replaced. */
  knownEnds(): ReadonlyMap<number, number>;
  refreshEnds(): Promise<void>;
  base(): CurrentBase;
  closed(reader: EmbeddedReader): void;
}

/** `base` is 0 if there is no base. `tails` are the offsets at which the tail begins. */
export interface CurrentBase {
  readonly base: number;
  readonly tails: ReadonlyMap<number, number>;
}

export class EmbeddedReader implements LogReader {
  readonly position: Map<number, number>;
  private readonly ending = new AbortController();
  private checked = false;

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

  /** A position after the end belongs to another log, or the log has lost its last records. */
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

  /**
   * Throws if a position is before the tail and the base has no record there. Accepts offset 0 as the start of the log.
   */
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
    const ends = this.source.knownEnds();
    const { base, tails } = this.source.base();
    const stored = new Map<number, number>();
    const based = new Map<number, number>();
    for (const [partition, offset] of this.position) {
      if (offset < (tails.get(partition) as number)) {
        based.set(partition, offset);
        continue;
      }
      if (offset < (ends.get(partition) as number)) stored.set(partition, offset);
    }
    if (based.size > 0) {
      const records = await this.readBase(base, tails, based, limits);
      if (records.length > 0) return records;
      return this.take(limits);
    }
    return stored.size === 0 ? [] : this.read(stored, limits);
  }

  /** The reader finishes the base before it reads any tail. */
  private async readBase(
    base: number,
    tails: ReadonlyMap<number, number>,
    wanted: ReadonlyMap<number, number>,
    limits: ReadLimits,
  ): Promise<LogRecord[]> {
    const records = await copiedRecords(
      this.source.db,
      copyBaseRecords(base, tails, wanted, limits, this.options.inParts),
      this.source.pieces,
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
      this.source.pieces,
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
