import type { AnonymizationProfile, ArchiveRoot } from '#archive';
import type { PostedError } from './posted-error';
import type { ProjectorTask } from './projector-messages';

/** What the thread of one export is started with. */
export interface ExportTask extends ProjectorTask {
  readonly root: ArchiveRoot;
  readonly profile: AnonymizationProfile;
}

/** Asks for the next piece of the archive. */
export const nextMessage = 'next';

/** What it tells: a piece each time it is asked, then that the archive is whole or has failed. */
export type ExportMessage =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: PostedError };
