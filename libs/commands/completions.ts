import { firstRejection, PositionWaits, type Database, type Rejection, type WaitOptions } from '#database';
import type { Position } from '#log';

/** How a wait ended. */
export type Completion =
  | { readonly processed: true; readonly rejection: Rejection | undefined }
  /** Not processed in time, the service is stopping, or there are too many waits. The command is in the log all the same. */
  | { readonly processed: false };

/** Tells when the live generation has passed a record, and whether the record was rejected. */
export class Completions {
  private readonly waits: PositionWaits;

  constructor(private readonly db: Database) {
    this.waits = new PositionWaits(db);
  }

  /** Starts to listen. Must be awaited before the first command is appended. */
  open(): Promise<void> {
    return this.waits.open();
  }

  /** Waits until `position` is applied or rejected, `timeoutMs` have passed, or the signal aborts. */
  wait(position: Position, timeoutMs: number, options?: WaitOptions): Promise<Completion> {
    return this.waitForAll([position], timeoutMs, options);
  }

  /**
   * Waits until all of `positions` are applied or rejected; `rejection` is the first one among them. One wait for all of
   * them adds one listener to the signal, however many there are.
   */
  async waitForAll(positions: readonly Position[], timeoutMs: number, options?: WaitOptions): Promise<Completion> {
    const { end } = await this.waits.wait(positions, timeoutMs, options);
    if (end !== 'passed') return { processed: false };
    return { processed: true, rejection: await firstRejection(this.db, positions) };
  }

  /** Ends all waits as not processed, and listening. */
  close(): Promise<void> {
    return this.waits.close();
  }
}
