import type { Database } from '#database';
import type { CommandLog, LogReader, ReaderOptions, ReadLimits } from './command-log';
import { GroupMembership } from './group-membership';
import { offsetAfter, type LogRecord } from './record';

export type StartOf = (partitions: readonly number[]) => Promise<ReadonlyMap<number, number>>;

export interface PartitionFollowerOptions {
  readonly log: Pick<CommandLog, 'reader'>;
  readonly readerOptions?: ReaderOptions;
  readonly db: Pick<Database, 'session'>;
  readonly group: string;
  readonly partitions: number;
  /** Called with new partitions, and, after a rewind, with all partitions of the follower. */
  readonly startOf: StartOf;
}

/**
 * Reads the partitions that no other follower of its group reads. When a follower joins, leaves or dies, a partition
 * can move to another follower. Just after a move, both followers can read the same record, so the caller must check
 * its own positions.
 */
export class PartitionFollower implements LogReader {
  private readonly membership: GroupMembership;
  private readonly closing = new AbortController();
  private partitions: readonly number[] | undefined;
  private opening: Promise<LogReader> | undefined;
  /** For each partition, the offset after the last record that `next` returned. */
  private readonly returned = new Map<number, number>();

  constructor(private readonly options: PartitionFollowerOptions) {
    const { db, group, partitions } = options;
    this.membership = new GroupMembership(db, group, partitions, (share) => this.assign(share));
  }

  /** Can be called again after an error. */
  async next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]> {
    while (!this.closing.signal.aborted && signal?.aborted !== true) {
      const opening = this.current();
      const records = await (await opening).next(limits, signal);
      // After a rewind or a change of partitions, discards the records, because the next reader reads them again.
      if (this.opening !== opening) continue;
      for (const record of records) this.returned.set(record.partition, offsetAfter(record));
      return records;
    }
    return [];
  }

  /**
   * Discards records that were read ahead, and gets all start offsets from `startOf` again. The follower keeps its
   * partitions.
   */
  async rewind(): Promise<void> {
    this.returned.clear();
    await this.endReader();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await (await this.opening?.catch(() => undefined))?.close();
    await this.membership.leave();
  }

  private assign(partitions: readonly number[]): void {
    const before = this.partitions;
    if (before === undefined) return;
    if (before.length === partitions.length && before.every((partition) => partitions.includes(partition))) return;
    this.partitions = partitions;
    for (const partition of before) if (!partitions.includes(partition)) this.returned.delete(partition);
    void this.endReader();
  }

  private async endReader(): Promise<void> {
    const before = this.opening;
    this.opening = undefined;
    await (await before?.catch(() => undefined))?.close();
  }

  private current(): Promise<LogReader> {
    if (this.opening === undefined) {
      const opening = this.openReader();
      this.opening = opening;
      opening.catch(() => {
        if (this.opening === opening) this.opening = undefined;
      });
    }
    return this.opening;
  }

  private async openReader(): Promise<LogReader> {
    const { startOf, log, readerOptions } = this.options;
    this.partitions ??= await this.membership.join();
    const { partitions, returned } = this;
    const start = new Map(returned);
    const gained = partitions.filter((partition) => !start.has(partition));
    if (gained.length > 0) for (const [partition, offset] of await startOf(gained)) start.set(partition, offset);
    return log.reader(start, readerOptions);
  }
}
