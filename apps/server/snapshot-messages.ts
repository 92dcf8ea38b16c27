import type { ErrorFields } from '#observe';
import type { SnapshotOutcome } from '#projections';
import type { ProjectorTask } from './projector-messages';

/** What the thread of a snapshot is started with. */
export interface SnapshotTask extends ProjectorTask {
  /** As in SnapshotOptions. */
  readonly historyMs: number;
}

/** What it tells; the outcome or the failure comes last. */
export type SnapshotMessage =
  | { readonly kind: 'notice'; readonly text: string }
  /** So many records more were applied to tables that are compared. */
  | { readonly kind: 'replayed'; readonly records: number }
  | { readonly kind: 'done'; readonly outcome: SnapshotOutcome }
  | { readonly kind: 'failed'; readonly error: ErrorFields };
