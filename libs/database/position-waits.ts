import { AddressShares } from '#limits';
import { appliedPositions } from './applied';
import type { Database } from './database';

export interface AwaitedPosition {
  readonly partition: number;
  readonly offset: number;
}

/**
 * How a wait ended. `passed`: all positions were applied. `late`: the time limit has passed. `unknown`: the log of the
 * tables has no such partition. `given-up`: the signal has aborted, or the service is stopping. `crowded`: too many
 * waits exist.
 */
type WaitEnd = 'passed' | 'late' | 'unknown' | 'given-up' | 'crowded';

export interface WaitOutcome {
  readonly end: WaitEnd;
  /** For each partition, the offset of its first record that is not applied. Empty if no check has succeeded. */
  readonly applied: ReadonlyMap<number, number>;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Address of the client for which the service waits. Absent if no client waits. In this case, the wait counts only
   * towards the total limit.
   */
  readonly address?: string | undefined;
}

interface Waiter {
  readonly positions: readonly AwaitedPosition[];
  readonly settle: (end: WaitEnd) => void;
  /**
   * One of the positions that were not applied at the last check. The other positions are checked only after this one
   * is applied.
   */
  missing?: AwaitedPosition | undefined;
}

interface WaitBounds {
  readonly waits: number;
  readonly positions: number;
}

/**
 * Limits on the number of requests that wait, and on the positions for which they wait. Each of them takes memory, and
 * each check takes time for each of them. One client address can use half of each limit.
 */
const defaultBounds: WaitBounds = { waits: 1_000, positions: 100_000 };

/**
 * Milliseconds between two checks. The checks are needed, because notifications are lost while the listener reconnects.
 */
const pollEveryMs = 250;

/**
 * Waits until the live generation has applied positions of the log. One query checks all waits. A notification only
 * starts a check, so an early or lost notification does no harm.
 */
export class PositionWaits {
  private readonly waiters = new Set<Waiter>();
  private readonly waits = new AddressShares();
  private readonly positions = new AddressShares();
  private unlisten: (() => Promise<void>) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private applied: ReadonlyMap<number, number> = new Map();
  private checking = false;
  private checkAgain = false;
  private sharedCheck: Promise<ReadonlyMap<number, number>> | undefined;
  private closed = false;

  constructor(
    private readonly db: Database,
    private readonly bounds = defaultBounds,
  ) {}

  /** Must be awaited before the first wait. */
  async open(): Promise<void> {
    this.unlisten = await this.db.listen('nodeledger_applied', () => this.check());
  }

  /** Never throws. */
  wait(
    positions: readonly AwaitedPosition[],
    timeoutMs: number,
    { signal, address }: WaitOptions = {},
  ): Promise<WaitOutcome> {
    if (this.closed || signal?.aborted) return Promise.resolve({ end: 'given-up', applied: this.applied });
    const count = positions.length;
    if (!this.waits.fits(address, 1, this.bounds.waits) || !this.positions.fits(address, count, this.bounds.positions))
      return this.withoutWaiting(positions);
    return new Promise((resolve) => {
      const settle = (end: WaitEnd): void => {
        clearTimeout(late);
        signal?.removeEventListener('abort', gone);
        if (this.waiters.delete(waiter)) {
          this.waits.add(address, -1);
          this.positions.add(address, -count);
        }
        if (this.waiters.size === 0) {
          clearInterval(this.timer);
          this.timer = undefined;
        }
        resolve({ end, applied: this.applied });
      };
      const gone = (): void => settle('given-up');
      const late = setTimeout(() => settle('late'), timeoutMs);
      const waiter: Waiter = { positions, settle };
      signal?.addEventListener('abort', gone);
      this.waiters.add(waiter);
      this.waits.add(address, 1);
      this.positions.add(address, count);
      this.timer ??= setInterval(() => this.check(), pollEveryMs);
      this.check();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const waiter of this.waiters) waiter.settle('given-up');
    await this.unlisten?.();
  }

  private async withoutWaiting(positions: readonly AwaitedPosition[]): Promise<WaitOutcome> {
    this.sharedCheck ??= appliedPositions(this.db).finally(() => (this.sharedCheck = undefined));
    const applied = await this.sharedCheck.catch(() => this.applied);
    return { end: endOf({ positions }, applied) ?? 'crowded', applied };
  }

  private check(): void {
    if (this.waiters.size === 0) return;
    if (this.checking) {
      this.checkAgain = true;
      return;
    }
    this.checking = true;
    appliedPositions(this.db)
      .then((applied) => {
        this.applied = applied;
        for (const waiter of this.waiters) {
          const end = endOf(waiter, applied);
          if (end !== undefined) waiter.settle(end);
        }
      })
      // Ignores an error, because the timer starts another check, and each wait has its own timeout.
      .catch(() => undefined)
      .finally(() => {
        this.checking = false;
        if (this.checkAgain) {
          this.checkAgain = false;
          this.check();
        }
      });
  }
}

function endOf(
  waiter: Pick<Waiter, 'positions' | 'missing'>,
  applied: ReadonlyMap<number, number>,
): WaitEnd | undefined {
  if (applied.size === 0) return undefined;
  const isMissing = ({ partition, offset }: AwaitedPosition): boolean => (applied.get(partition) as number) <= offset;
  if (waiter.missing !== undefined && isMissing(waiter.missing)) return undefined;
  if (waiter.positions.some(({ partition }) => !applied.has(partition))) return 'unknown';
  waiter.missing = waiter.positions.find(isMissing);
  return waiter.missing === undefined ? 'passed' : undefined;
}
