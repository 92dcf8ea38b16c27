import type { AnonymizationProfile } from '../../anonymize/profiles';

export abstract class ArchiveExports {
  abstract readonly product: string;
  /** Exports the live tables. Aborting the signal ends the export. Throws the faults of `exportArchive`. */
  abstract open(profile: AnonymizationProfile, signal: AbortSignal): AsyncIterable<Buffer>;
}
