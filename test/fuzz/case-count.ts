/** How many cases are asked of a property, and the seed from which they come. */

/** All together; each property has its share. `npm run fuzz` asks for 100,000; without it there is a short form. */
const total = Number(process.env['NODELEDGER_FUZZ_CASES'] ?? '0');

/** Whether every place and the largest sizes are tried, too. */
export const thorough = total >= 50_000;

/** NODELEDGER_FUZZ_SEED gives the cases of an earlier run again. */
export const fuzzSeed = Number(process.env['NODELEDGER_FUZZ_SEED'] ?? '20240304');
/** NODELEDGER_FUZZ_PATH, which a failure prints, begins at that failure. */
export const fuzzPath = process.env['NODELEDGER_FUZZ_PATH'];

/** For all cases of a property. What a case may take is processor time; a machine with other work takes its time. */
export const fuzzTimeoutMs = total === 0 ? 600_000 : 7_200_000;

/** Of each property: its share of all cases, and its cases in the short form. */
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
