import { PositionWaits, rejectionAt, type Database, type Rejection, type WaitOptions } from '#database';
import type { Position } from '#log';

/** How a wait ended. */
export type Completion =
  | { readonly processed: true; readonly rejection: Rejection | undefined }
  /** Not processed in time, the service is stopping, or too many wait already: the command is in the log all the same. */
  | { readonly processed: false };

/** Tells what became of a record: when the live generation has gone past it, and whether it was rejected. */
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
  async wait(position: Position, timeoutMs: number, options?: WaitOptions): Promise<Completion> {
    const { end } = await this.waits.wait([position], timeoutMs, options);
    return end === 'passed'
      ? { processed: true, rejection: await rejectionAt(this.db, position) }
      : { processed: false };
  }

  /** Ends all waits as not processed, and listening. */
  close(): Promise<void> {
    return this.waits.close();
  }
}
