/** The number of cases of a property, and their seed. */

/** The number of all cases, which the properties share. `npm run fuzz` sets 100,000; without it, a short form runs. */
const total = Number(process.env['NODELEDGER_FUZZ_CASES'] ?? '0');

/** True if every place and the largest sizes are tested, too. */
export const thorough = total >= 50_000;

/** NODELEDGER_FUZZ_SEED repeats the cases of an earlier run. */
export const fuzzSeed = Number(process.env['NODELEDGER_FUZZ_SEED'] ?? '20240304');
/** NODELEDGER_FUZZ_PATH, which a failure prints, begins at that failure. */
export const fuzzPath = process.env['NODELEDGER_FUZZ_PATH'];

/**
 * Time limit for all cases of a property. The limit of a single case is processor time, because a busy machine takes
 * longer.
 */
export const fuzzTimeoutMs = total === 0 ? 600_000 : 7_200_000;

/** For each property: its share of all cases, and its number of cases in the short form. */
const parts = {
  'JSON queries': [0.25, 1_000],
  PQL: [0.25, 1_000],
  'sizes of queries': [0.25, 300],
  'sizes of payloads': [0.15, 200],
  'sizes of compressed bodies': [0.05, 40],
  'sizes over HTTP': [0.05, 100],
} as const;

export function casesOf(property: keyof typeof parts): number {
  const [share, few] = parts[property];
  return total === 0 ? few : Math.max(1, Math.round(total * share));
}
