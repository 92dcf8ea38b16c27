import type { LogFollower, LogReader, ReadLimits, StartOf } from './command-log';
import { offsetAfter, type LogRecord } from './record';

export interface PartitionFollowerOptions {
  readonly startOf: StartOf;
  readonly open: (start: ReadonlyMap<number, number>) => LogReader;
  /** Gives the first partitions; later ones come by `assign`. Asked again after an error. */
  readonly join: () => Promise<readonly number[]>;
  readonly leave?: () => Promise<void>;
}

/**
 * A follower over plain readers, with a new reader each time its partitions change. It reads a partition that it keeps from the
 * record after the last one that it returned, and asks where to begin with a partition that it gets.
 */
export class PartitionFollower implements LogFollower {
  private readonly closing = new AbortController();
  private partitions: readonly number[] | undefined;
  private opening: Promise<LogReader> | undefined;
  /** For each partition the offset after the last record that was returned. */
  private readonly returned = new Map<number, number>();

  constructor(private readonly options: PartitionFollowerOptions) {}

  async next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]> {
    while (!this.closing.signal.aborted && signal?.aborted !== true) {
      const opening = this.current();
      const records = await (await opening).next(limits, signal);
      // Rewound or assigned meanwhile: the records are read again.
      if (this.opening !== opening) continue;
      for (const record of records) this.returned.set(record.partition, offsetAfter(record));
      return records;
    }
    return [];
  }

  /** Changes the partitions. */
  assign(partitions: readonly number[]): void {
    const before = this.partitions;
    // The first reader gets them.
    if (before === undefined) return;
    if (before.length === partitions.length && before.every((partition) => partitions.includes(partition))) return;
    this.partitions = partitions;
    for (const partition of before) if (!partitions.includes(partition)) this.returned.delete(partition);
    void this.endReader();
  }

  async rewind(): Promise<void> {
    this.returned.clear();
    await this.endReader();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await (await this.opening?.catch(() => undefined))?.close();
    await this.options.leave?.();
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
      // The next call asks again.
      opening.catch(() => {
        if (this.opening === opening) this.opening = undefined;
      });
    }
    return this.opening;
  }

  private async openReader(): Promise<LogReader> {
    const { startOf, open, join } = this.options;
    this.partitions ??= await join();
    const { partitions, returned } = this;
    const start = new Map(returned);
    const gained = partitions.filter((partition) => !start.has(partition));
    if (gained.length > 0) for (const [partition, offset] of await startOf(gained)) start.set(partition, offset);
    return open(start);
  }
}
