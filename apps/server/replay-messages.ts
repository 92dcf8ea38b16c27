import type { ReplayShare } from '#projections';
import type { PostedError } from './posted-error';
import type { ProjectorTask } from './projector-messages';

/** What a thread that replays a share of the log is started with. */
export interface ReplayTask extends ProjectorTask {
  readonly share: ReplayShare;
}

/** What it posts; the last message is `done` or `failed`. */
export type ReplayMessage =
  /** So many records more were applied. */
  | { readonly kind: 'replayed'; readonly records: number }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: PostedError };
