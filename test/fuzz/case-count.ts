/** How many cases are asked of a property, and the seed from which they come. */

/** All together; each property has its share. `npm run fuzz` asks for 100,000. */
const total = Number(process.env['NODELEDGER_FUZZ_CASES'] ?? '4000');

/** Whether every place and the largest sizes are tried, too. */
export const thorough = total >= 50_000;

/** NODELEDGER_FUZZ_SEED gives the cases of an earlier run again. */
export const fuzzSeed = Number(process.env['NODELEDGER_FUZZ_SEED'] ?? '20240304');
/** NODELEDGER_FUZZ_PATH, which a failure prints, begins at that failure. */
export const fuzzPath = process.env['NODELEDGER_FUZZ_PATH'];

const shares = {
  'JSON queries': 0.25,
  PQL: 0.25,
  'sizes of queries': 0.25,
  'sizes of payloads': 0.15,
  'sizes of compressed bodies': 0.05,
  'sizes over HTTP': 0.05,
} as const;

export const casesOf = (property: keyof typeof shares): number => Math.max(1, Math.round(total * shares[property]));
