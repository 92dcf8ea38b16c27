import type { AnonymizationProfile } from '../../anonymize/profiles';

/** Makes archives for HTTP. */
export abstract class ArchiveExports {
  /** The name of the product, for the name of the file. */
  abstract readonly product: string;
  /** The bytes of an archive of what the live tables show. Aborting ends the work. Faults as of exportArchive. */
  abstract open(profile: AnonymizationProfile, signal: AbortSignal): AsyncIterable<Buffer>;
}
