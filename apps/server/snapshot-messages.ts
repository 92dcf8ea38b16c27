import type { Limits } from '#limits';
import type { ErrorFields } from '#observe';
import type { SnapshotOutcome } from '#projections';
import type { LogPlace } from './log-place';

/** What the thread of a snapshot is started with. */
export interface SnapshotTask {
  readonly connectionString: string;
  readonly logPlace: LogPlace;
  /** As of SnapshotOptions. */
  readonly historyMs: number;
  /** As of ProjectorOptions. */
  readonly maxCommandBytes: number;
  readonly limits: Limits;
  /** As of Settings. */
  readonly factsBlocklist: readonly string[];
}

/** What it tells; the outcome or the failure comes last. */
export type SnapshotMessage =
  | { readonly kind: 'notice'; readonly text: string }
  /** So many records more were applied to tables that are compared. */
  | { readonly kind: 'replayed'; readonly records: number }
  | { readonly kind: 'done'; readonly outcome: SnapshotOutcome }
  | { readonly kind: 'failed'; readonly error: ErrorFields };
