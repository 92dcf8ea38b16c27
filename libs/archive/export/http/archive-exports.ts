import type { AnonymizationProfile } from '../../anonymize/profiles';

/** Opens exports for the HTTP controller. */
export abstract class ArchiveExports {
  /** Name of the product, used in the file name. */
  abstract readonly product: string;
  /**
   * Returns the bytes of an archive of the live tables. Aborting the signal ends the export. Faults: those of
   * exportArchive.
   */
  abstract open(profile: AnonymizationProfile, signal: AbortSignal): AsyncIterable<Buffer>;
}
