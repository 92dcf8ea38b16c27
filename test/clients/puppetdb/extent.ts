import { type AnonymizationProfile, anonymizationProfiles } from '../../../libs/archive/anonymize/profiles';

/**
 * NODELEDGER_PUPPETDB_WHOLE=1 (`npm run test:puppetdb:whole`) asks all questions, tests all profiles and uses a larger
 * fleet.
 */
const isWhole = process.env['NODELEDGER_PUPPETDB_WHOLE'] === '1';

export interface Extent {
  readonly machines: number;
  readonly runs: number;
  readonly profiles: readonly AnonymizationProfile[];
  readonly hasSamples: boolean;
  /** Time limit of the preparation, and of one comparison. */
  readonly setupMs: number;
  readonly comparisonMs: number;
  /** Returns all questions, or every n-th one; `part` says which. */
  readonly some: <T>(questions: readonly T[], part?: number) => readonly T[];
}

const everyNth = 24;

/** Size of the tests of archives: about a minute, or everything. */
export const extent: Extent = isWhole
  ? {
      machines: 10,
      runs: 2,
      profiles: anonymizationProfiles,
      hasSamples: true,
      setupMs: 1_800_000,
      comparisonMs: 3_600_000,
      some: (questions) => questions,
    }
  : {
      ...{ machines: 2, runs: 1, profiles: ['full'], hasSamples: false, setupMs: 300_000, comparisonMs: 240_000 },
      some: (questions, part = 0) => questions.filter((_, place) => place % everyNth === part),
    };
