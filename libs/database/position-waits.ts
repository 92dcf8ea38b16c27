import { appliedPositions } from './applied';
import type { Database } from './database';

/** A place in the log. */
export interface AwaitedPosition {
  readonly partition: number;
  readonly offset: number;
}

/**
 * `passed`: all positions are applied. `late`: not in time. `unknown`: the tables belong to a log that has no such
 * partition. `given-up`: the caller's signal, or the service is stopping. `crowded`: too much waits already.
 */
export type WaitEnd = 'passed' | 'late' | 'unknown' | 'given-up' | 'crowded';

export interface WaitOutcome {
  readonly end: WaitEnd;
  /** By partition, the offset of the first record not applied, as last seen; empty where nothing could be seen. */
  readonly applied: ReadonlyMap<number, number>;
}

/** On whose behalf a wait is. */
export interface WaitOptions {
  /** Ends the wait as given up. */
  readonly signal?: AbortSignal | undefined;
  /** The client's address; absent where the service itself waits. */
  readonly address?: string | undefined;
}

interface Waiter {
  readonly positions: readonly AwaitedPosition[];
  readonly settle: (end: WaitEnd) => void;
  /** A position that was not passed at the last look. Until it is, the others need no look. */
  missing?: AwaitedPosition | undefined;
}

export interface WaitBounds {
  /** Most waits at once. */
  readonly waits: number;
  /** Most positions of all waits together. */
  readonly positions: number;
}

/** Each look goes over all waits, and each position takes memory. One client address may have half of each. */
const defaultBounds: WaitBounds = { waits: 1_000, positions: 100_000 };

/** Notifications are lost while a connection is opened again; polling at this interval makes up for that. */
const lookEveryMs = 250;

/**
 * Tells when the live generation has gone past positions of the log: one look for all who wait. What counts is the
 * position in the database; a notification only says that looking is worth while, so that neither an early nor a lost
 * one matters.
 */
export class PositionWaits {
  private readonly waiters = new Set<Waiter>();
  private readonly taken = new TakenBounds();
  private unlisten: (() => Promise<void>) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private applied: ReadonlyMap<number, number> = new Map();
  private looking = false;
  private lookAgain = false;
  private glance: Promise<ReadonlyMap<number, number>> | undefined;
  private closed = false;

  constructor(
    private readonly db: Database,
    private readonly bounds = defaultBounds,
  ) {}

  /** Starts to listen. Must be awaited before the first wait. */
  async open(): Promise<void> {
    this.unlisten = await this.db.listen('nodeledger_applied', () => this.look());
  }

  /** Waits until all of `positions` are passed, `timeoutMs` are over, or the signal aborts. Never throws. */
  wait(
    positions: readonly AwaitedPosition[],
    timeoutMs: number,
    { signal, address }: WaitOptions = {},
  ): Promise<WaitOutcome> {
    if (this.closed || signal?.aborted) return Promise.resolve({ end: 'given-up', applied: this.applied });
    if (!this.taken.take(address, positions.length, this.bounds)) return this.withoutWaiting(positions);
    return new Promise((resolve) => {
      const settle = (end: WaitEnd): void => {
        clearTimeout(late);
        signal?.removeEventListener('abort', gone);
        if (this.waiters.delete(waiter)) this.taken.giveBack(address, positions.length);
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
      this.timer ??= setInterval(() => this.look(), lookEveryMs);
      this.look();
    });
  }

  /** Ends all waits as given up, and listening. */
  async close(): Promise<void> {
    this.closed = true;
    for (const waiter of this.waiters) waiter.settle('given-up');
    await this.unlisten?.();
  }

  /** Where too much waits, a position that is passed already is still told so. */
  private async withoutWaiting(positions: readonly AwaitedPosition[]): Promise<WaitOutcome> {
    // One look for all who come meanwhile.
    this.glance ??= appliedPositions(this.db).finally(() => (this.glance = undefined));
    const applied = await this.glance.catch(() => this.applied);
    return { end: endOf({ positions }, applied) ?? 'crowded', applied };
  }

  private look(): void {
    if (this.waiters.size === 0) return;
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    this.looking = true;
    appliedPositions(this.db)
      .then((applied) => {
        this.applied = applied;
        for (const waiter of this.waiters) {
          const end = endOf(waiter, applied);
          if (end !== undefined) waiter.settle(end);
        }
      })
      // The database is away for a moment: the timer looks again, and the wait has its own end.
      .catch(() => undefined)
      .finally(() => {
        this.looking = false;
        if (this.lookAgain) {
          this.lookAgain = false;
          this.look();
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
  const isMissing = ({ partition, offset }: AwaitedPosition): boolean => (applied.get(partition) ?? 0) <= offset;
  if (waiter.missing !== undefined && isMissing(waiter.missing)) return undefined;
  if (waiter.positions.some(({ partition }) => !applied.has(partition))) return 'unknown';
  waiter.missing = waiter.positions.find(isMissing);
  return waiter.missing === undefined ? 'passed' : undefined;
}

/** What all waits and those of each address take of the bounds. */
class TakenBounds {
  private readonly all: Taken = { waits: 0, positions: 0 };
  private readonly byAddress = new Map<string, Taken>();

  /** False, and nothing is taken, where it would be too much. */
  take(address: string | undefined, positions: number, bounds: WaitBounds): boolean {
    const own = address === undefined ? undefined : (this.byAddress.get(address) ?? { waits: 0, positions: 0 });
    const half = { waits: bounds.waits / 2, positions: bounds.positions / 2 };
    if (!fits(this.all, positions, bounds) || (own !== undefined && !fits(own, positions, half))) return false;
    if (address !== undefined && own !== undefined) this.byAddress.set(address, own);
    for (const taken of [this.all, own]) if (taken !== undefined) add(taken, 1, positions);
    return true;
  }

  giveBack(address: string | undefined, positions: number): void {
    const own = address === undefined ? undefined : this.byAddress.get(address);
    for (const taken of [this.all, own]) if (taken !== undefined) add(taken, -1, -positions);
    if (address !== undefined && own?.waits === 0) this.byAddress.delete(address);
  }
}

interface Taken {
  waits: number;
  positions: number;
}

const fits = (taken: Taken, positions: number, bounds: WaitBounds): boolean =>
  taken.waits < bounds.waits && taken.positions + positions <= bounds.positions;

function add(taken: Taken, waits: number, positions: number): void {
  taken.waits += waits;
  taken.positions += positions;
}
