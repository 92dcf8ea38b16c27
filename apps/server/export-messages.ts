import type { AnonymizationProfile, ArchiveRoot } from '#archive';
import type { PostedError } from './posted-error';
import type { ProjectorTask } from './projector-messages';

/** Input of an export thread. */
export interface ExportTask extends ProjectorTask {
  readonly root: ArchiveRoot;
  readonly profile: AnonymizationProfile;
}

/** Message to the export thread that requests the next piece of the archive. */
export const nextMessage = 'next';

/**
 * Messages from the export thread. The thread answers each request with a piece, and the last request with `done` or
 * `failed`.
 */
export type ExportMessage =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: PostedError };
