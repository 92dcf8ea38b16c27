import { firstRejection, PositionWaits, type Database, type Rejection, type WaitOptions } from '#database';
import type { Position } from '#log';

export type Completion =
  | { readonly processed: true; readonly rejection: Rejection | undefined }
  /**
   * The record was not processed in time, the service is stopping, or too many clients wait. In all cases, the command
   * is in the log.
   */
  | { readonly processed: false };

export class Completions {
  private readonly waits: PositionWaits;

  constructor(private readonly db: Database) {
    this.waits = new PositionWaits(db);
  }

  /** The caller must await this method before the first append. */
  open(): Promise<void> {
    return this.waits.open();
  }

  /**
   * Waits until the record is applied or rejected in the live generation. Also ends after `timeoutMs` or when the
   * signal aborts.
   */
  wait(position: Position, timeoutMs: number, options?: WaitOptions): Promise<Completion> {
    return this.waitForAll([position], timeoutMs, options);
  }

  /**
   * Waits until all records are applied or rejected, and returns the first rejection. Adds only one listener to the
   * signal in `options`.
   */
  async waitForAll(positions: readonly Position[], timeoutMs: number, options?: WaitOptions): Promise<Completion> {
    const { end } = await this.waits.wait(positions, timeoutMs, options);
    if (end !== 'passed') return { processed: false };
    return { processed: true, rejection: await firstRejection(this.db, positions) };
  }

  /** Ends all waits with `processed: false`. */
  close(): Promise<void> {
    return this.waits.close();
  }
}
