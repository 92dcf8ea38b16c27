import type { AnonymizationProfile, ArchiveRoot } from '#archive';
import type { PostedError } from './posted-error';
import type { ProjectorTask } from './projector-messages';

/** Task of the thread of one export. */
export interface ExportTask extends ProjectorTask {
  readonly root: ArchiveRoot;
  readonly profile: AnonymizationProfile;
}

/** Requests the next piece of the archive. */
export const nextMessage = 'next';

/** Messages of the thread: a piece for each request, then the end or the failure. */
export type ExportMessage =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: PostedError };
