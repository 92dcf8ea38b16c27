import { firstRejection, PositionWaits, type Database, type Rejection, type WaitOptions } from '#database';
import type { Position } from '#log';

export type Completion =
  | { readonly processed: true; readonly rejection: Rejection | undefined }
  /**
   * The record was not processed in time, the service is stopping, or too many clients wait. The command is in the log
   * in all cases.
   */
  | { readonly processed: false };

/** Waits until the projector has applied or rejected a record in the live generation. */
export class Completions {
  private readonly waits: PositionWaits;

  constructor(private readonly db: Database) {
    this.waits = new PositionWaits(db);
  }

  /** Starts to listen for progress. Must complete before the first append. */
  open(): Promise<void> {
    return this.waits.open();
  }

  /**
   * Waits until the record at `position` is applied or rejected. Also ends after `timeoutMs` or when the signal aborts.
   */
  wait(position: Position, timeoutMs: number, options?: WaitOptions): Promise<Completion> {
    return this.waitForAll([position], timeoutMs, options);
  }

  /**
   * Waits until the records at all `positions` are applied or rejected. `rejection` is the first rejection among them.
   * Adds only one listener to the signal in `options`, even for many positions.
   */
  async waitForAll(positions: readonly Position[], timeoutMs: number, options?: WaitOptions): Promise<Completion> {
    const { end } = await this.waits.wait(positions, timeoutMs, options);
    if (end !== 'passed') return { processed: false };
    return { processed: true, rejection: await firstRejection(this.db, positions) };
  }

  /** Ends all waits with `processed: false`, and stops listening. */
  close(): Promise<void> {
    return this.waits.close();
  }
}
