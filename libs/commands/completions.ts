import { firstRejection, PositionWaits, type Database, type Rejection, type WaitOptions } from '#database';
import type { Position } from '#log';

/** Result of a wait. */
export type Completion =
  | { readonly processed: true; readonly rejection: Rejection | undefined }
  /**
   * Not processed in time, the service is stopping, or there are too many waits. The command is in the log in any case.
   */
  | { readonly processed: false };

/** Waits until the live generation has applied or rejected a record. */
export class Completions {
  private readonly waits: PositionWaits;

  constructor(private readonly db: Database) {
    this.waits = new PositionWaits(db);
  }

  /** Starts to listen. Call and await it before the first append. */
  open(): Promise<void> {
    return this.waits.open();
  }

  /** Waits until `position` is applied or rejected, `timeoutMs` is over, or the signal aborts. */
  wait(position: Position, timeoutMs: number, options?: WaitOptions): Promise<Completion> {
    return this.waitForAll([position], timeoutMs, options);
  }

  /**
   * Waits until all `positions` are applied or rejected; `rejection` is the first one among them. Adds only one listener
   * to the signal.
   */
  async waitForAll(positions: readonly Position[], timeoutMs: number, options?: WaitOptions): Promise<Completion> {
    const { end } = await this.waits.wait(positions, timeoutMs, options);
    if (end !== 'passed') return { processed: false };
    return { processed: true, rejection: await firstRejection(this.db, positions) };
  }

  /** Ends all waits as not processed, and stops listening. */
  close(): Promise<void> {
    return this.waits.close();
  }
}
