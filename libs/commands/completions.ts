import { appliedPositions, rejectionAt, type Database, type Rejection } from '#database';
import type { Position } from '#log';

/** How a wait ended. */
export type Completion =
  | { readonly processed: true; readonly rejection: Rejection | undefined }
  /** Not processed in time, or the service is stopping. */
  | { readonly processed: false };

interface Waiter {
  readonly position: Position;
  readonly settle: (processed: boolean) => void;
}

/** Notifications get lost while a connection is made anew; looking again at this pace makes up for it. */
const lookEveryMs = 250;

/**
 * Tells when the live generation has gone past a position. What counts is the position in the database; a notification
 * only says that looking is worth while, so that neither an early nor a lost one matters.
 */
export class Completions {
  private readonly waiters = new Set<Waiter>();
  private unlisten: (() => Promise<void>) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking = false;
  private lookAgain = false;
  private closed = false;

  constructor(private readonly db: Database) {}

  /** Starts to listen. Must be awaited before the first command is appended. */
  async open(): Promise<void> {
    this.unlisten = await this.db.listen('nodeledger_applied', () => this.look());
  }

  /** Waits until `position` is applied or rejected, `timeoutMs` have passed, or `signal` aborts. */
  async wait(position: Position, timeoutMs: number, signal?: AbortSignal): Promise<Completion> {
    const processed = await this.passed(position, timeoutMs, signal);
    return processed ? { processed, rejection: await rejectionAt(this.db, position) } : { processed };
  }

  /** Ends all waits as not processed, and listening. */
  async close(): Promise<void> {
    this.closed = true;
    for (const waiter of this.waiters) waiter.settle(false);
    await this.unlisten?.();
  }

  private passed(position: Position, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.closed || signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (processed: boolean): void => {
        clearTimeout(late);
        signal?.removeEventListener('abort', gone);
        this.waiters.delete(waiter);
        if (this.waiters.size === 0) {
          clearInterval(this.timer);
          this.timer = undefined;
        }
        resolve(processed);
      };
      const gone = (): void => settle(false);
      const late = setTimeout(gone, timeoutMs);
      const waiter: Waiter = { position, settle };
      signal?.addEventListener('abort', gone);
      this.waiters.add(waiter);
      this.timer ??= setInterval(() => this.look(), lookEveryMs);
      this.look();
    });
  }

  private look(): void {
    if (this.waiters.size === 0) return;
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    this.looking = true;
    appliedPositions(this.db)
      .then((positions) => {
        for (const waiter of this.waiters) {
          const { partition, offset } = waiter.position;
          if ((positions.get(partition) ?? 0) > offset) waiter.settle(true);
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
