import { appliedPositions, type Database } from '#database';
import type { ChangeReader } from '../../stream/change-reader';

interface Waiter {
  readonly offsets: readonly number[];
  readonly settle: () => void;
}

/** Waits until the tables contain further records. One check of the database serves all deliveries that wait. */
export class AppliedMonitor {
  private readonly waiters = new Set<Waiter>();
  private checkedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Database,
    private readonly reader: Pick<ChangeReader, 'onApplied'>,
    /**
     * Shortest time in milliseconds between two checks. A delivery then reads all records that were applied since the
     * previous check.
     */
    private readonly everyMs: number,
  ) {}

  /**
   * Resolves when the tables have applied a record at or after the given offset of its partition, or when the signal
   * aborts.
   */
  next(offsets: readonly number[], stopping: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const stopWaking = this.reader.onApplied(() => this.check());
      const settle = (): void => {
        stopping.removeEventListener('abort', settle);
        stopWaking();
        this.waiters.delete(waiter);
        resolve();
      };
      const waiter: Waiter = { offsets, settle };
      stopping.addEventListener('abort', settle);
      this.waiters.add(waiter);
      if (stopping.aborted) settle();
      else this.check();
    });
  }

  private check(): void {
    const restMs = this.everyMs - (performance.now() - this.checkedAt);
    this.timer ??= setTimeout(
      () => {
        this.checkedAt = performance.now();
        appliedPositions(this.db)
          .then((applied) => {
            for (const waiter of [...this.waiters]) if (isBehind(waiter.offsets, applied)) waiter.settle();
          })
          // Ignores an error, because the next notification from the reader causes another check.
          .catch(() => undefined)
          .finally(() => (this.timer = undefined));
      },
      Math.max(0, restMs),
    ).unref();
  }
}

const isBehind = (offsets: readonly number[], applied: ReadonlyMap<number, number>): boolean =>
  applied.size !== offsets.length || [...applied].some(([partition, next]) => next > (offsets[partition] ?? 0));
