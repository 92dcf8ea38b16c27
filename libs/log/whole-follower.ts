import type { LogFollower, LogReader, ReadLimits, StartOf } from './command-log';
import type { LogRecord } from './record';

/** A follower that has all partitions, over a plain reader: of logs that serve one projector. */
export class WholeFollower implements LogFollower {
  private readonly closing = new AbortController();
  private opening: Promise<LogReader> | undefined;

  constructor(
    private readonly partitions: readonly number[],
    private readonly startOf: StartOf,
    private readonly open: (start: ReadonlyMap<number, number>) => LogReader,
  ) {}

  async next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]> {
    while (!this.closing.signal.aborted && signal?.aborted !== true) {
      const opening = this.current();
      const records = await (await opening).next(limits, signal);
      // Rewound meanwhile: what came is from before.
      if (this.opening === opening) return records;
    }
    return [];
  }

  async rewind(): Promise<void> {
    const before = this.opening;
    this.opening = undefined;
    await (await before?.catch(() => undefined))?.close();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await (await this.opening?.catch(() => undefined))?.close();
  }

  private current(): Promise<LogReader> {
    if (this.opening === undefined) {
      const opening = this.startOf(this.partitions).then((start) => this.open(start));
      this.opening = opening;
      // The next call asks again.
      opening.catch(() => {
        if (this.opening === opening) this.opening = undefined;
      });
    }
    return this.opening;
  }
}
