import type { ErrorFields } from '#observe';
import type { SnapshotOutcome } from '#projections';
import type { ProjectorTask } from './projector-messages';

/** Task of the thread of a snapshot. */
export interface SnapshotTask extends ProjectorTask {
  /** See SnapshotOptions. */
  readonly historyMs: number;
}

/** Messages of the thread. The last one is the outcome or the failure. */
export type SnapshotMessage =
  | { readonly kind: 'notice'; readonly text: string }
  /** This many more records were applied to tables for the comparison. */
  | { readonly kind: 'replayed'; readonly records: number }
  | { readonly kind: 'done'; readonly outcome: SnapshotOutcome }
  | { readonly kind: 'failed'; readonly error: ErrorFields };
