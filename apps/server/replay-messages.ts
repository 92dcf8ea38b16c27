import type { ReplayShare } from '#projections';
import type { PostedError } from './posted-error';
import type { ProjectorTask } from './projector-messages';

/** Task of a thread that replays a share of the log. */
export interface ReplayTask extends ProjectorTask {
  readonly share: ReplayShare;
}

/** Messages of the thread. The last one is `done` or `failed`. */
export type ReplayMessage =
  /** This many more records were applied. */
  | { readonly kind: 'replayed'; readonly records: number }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: PostedError };
