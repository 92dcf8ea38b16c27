import type { AnonymizationProfile, ArchiveRoot } from '#archive';
import type { PostedError } from './posted-error';
import type { ProjectorTask } from './projector-messages';

export interface ExportTask extends ProjectorTask {
  readonly root: ArchiveRoot;
  readonly profile: AnonymizationProfile;
}

export const nextMessage = 'next';

/** The thread answers each request with a piece, and the last request with `done` or `failed`. */
export type ExportMessage =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: PostedError };
