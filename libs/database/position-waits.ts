import { AddressShares } from '#limits';
import { appliedPositions } from './applied';
import type { Database } from './database';

/** A place in the log. */
export interface AwaitedPosition {
  readonly partition: number;
  readonly offset: number;
}

/**
 * `passed`: all positions are applied. `late`: not in time. `unknown`: the tables belong to a log that has no such
 * partition. `given-up`: the caller's signal, or the service is stopping. `crowded`: there are too many waits already.
 */
type WaitEnd = 'passed' | 'late' | 'unknown' | 'given-up' | 'crowded';

export interface WaitOutcome {
  readonly end: WaitEnd;
  /** By partition, the offset of the first record not applied, as last seen; empty where nothing could be seen. */
  readonly applied: ReadonlyMap<number, number>;
}

export interface WaitOptions {
  /** Aborting ends the wait as given up. */
  readonly signal?: AbortSignal | undefined;
  /** The client's address. Absent where the service itself waits. */
  readonly address?: string | undefined;
}

interface Waiter {
  readonly positions: readonly AwaitedPosition[];
  readonly settle: (end: WaitEnd) => void;
  /** A position that was not passed at the last check. The others need no check until it is. */
  missing?: AwaitedPosition | undefined;
}

interface WaitBounds {
  /** Most waits at once. */
  readonly waits: number;
  /** Most positions of all waits together. */
  readonly positions: number;
}

/** Bounds the work of a check and the memory of the positions. One client address may have half of each. */
const defaultBounds: WaitBounds = { waits: 1_000, positions: 100_000 };

/** Notifications are lost while a connection is opened again. Polling at this interval makes up for that. */
const pollEveryMs = 250;

/**
 * Tells when the live generation has passed positions of the log. One check of the database serves all waits. Only the
 * position in the database counts: a notification merely starts a check, so neither an early nor a lost one matters.
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

  /** Starts to listen. Must be awaited before the first wait. */
  async open(): Promise<void> {
    this.unlisten = await this.db.listen('nodeledger_applied', () => this.check());
  }

  /** Waits until all of `positions` are passed, `timeoutMs` are over, or the signal aborts. Never throws. */
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

  /** Ends all waits as given up, and listening. */
  async close(): Promise<void> {
    this.closed = true;
    for (const waiter of this.waiters) waiter.settle('given-up');
    await this.unlisten?.();
  }

  /** There are too many waits. A position that has been passed already needs none. */
  private async withoutWaiting(positions: readonly AwaitedPosition[]): Promise<WaitOutcome> {
    // All that come while it runs share this check.
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
      // The database is unreachable for a moment. The timer checks again, and each wait has its own timeout.
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
  // Without any tables, nothing can be said yet.
  if (applied.size === 0) return undefined;
  const isMissing = ({ partition, offset }: AwaitedPosition): boolean => (applied.get(partition) as number) <= offset;
  if (waiter.missing !== undefined && isMissing(waiter.missing)) return undefined;
  if (waiter.positions.some(({ partition }) => !applied.has(partition))) return 'unknown';
  waiter.missing = waiter.positions.find(isMissing);
  return waiter.missing === undefined ? 'passed' : undefined;
}
