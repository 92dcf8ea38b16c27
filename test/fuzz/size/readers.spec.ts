/**
 * Tests the readers of queries and payloads at many sizes: each input is accepted or refused properly, with processor
 * time and memory in proportion to its size. growth.spec.ts tests the growth of time. The readers run in a process with
 * a limited heap. NODELEDGER_FUZZ_CASES, NODELEDGER_FUZZ_SEED and NODELEDGER_FUZZ_PATH: see CONTRIBUTING.md.
 */
import fc from 'fast-check';
import { casesOf, fuzzPath, fuzzSeed, fuzzTimeoutMs } from '../case-count';
import { complaint } from './complaint';
import { ReaderProcess } from './reader-process';
import type { Recipe } from './recipe';
import { gzipRecipes, payloadRecipes, queryRecipes } from './recipes';

/** Peak memory of the process, including the program and the largest case. */
const mostMegabytes = 900;

const readers = new ReaderProcess();
afterAll(() => readers.stop());

describe.each<[Parameters<typeof casesOf>[0], fc.Arbitrary<Recipe>]>([
  ['sizes of queries', queryRecipes],
  ['sizes of payloads', payloadRecipes],
  ['sizes of compressed bodies', gzipRecipes],
])('%s', (name, recipes) => {
  it(
    'are taken or refused, in time and memory that their size explains',
    async () => {
      const endings: Record<string, number> = {};
      let slowestMs = 0;
      const property = fc.asyncProperty(recipes, async (recipe) => {
        const outcome = await readers.run({ recipe, repeats: 1 });
        slowestMs = Math.max(slowestMs, outcome.cpuMs);
        const ending = endingName(outcome.ending);
        endings[ending] = (endings[ending] ?? 0) + 1;
        const wrong = complaint(outcome);
        if (wrong !== undefined) throw new Error(wrong);
      });
      const numRuns = casesOf(name);
      const found = await fc.check(property, {
        seed: fuzzSeed,
        numRuns,
        ...(fuzzPath === undefined ? {} : { path: fuzzPath }),
      });
      const { peakMegabytes } = readers;
      console.info(
        `${name}: seed ${fuzzSeed}, ${found.numRuns} cases, ${JSON.stringify(endings)}, slowest ${Math.round(slowestMs)} ms of processor time, at most ${Math.round(peakMegabytes)} MB`,
      );
      expect(found.failed ? told(found) : '').toBe('');
      expect(peakMegabytes).toBeLessThan(mostMegabytes);
    },
    fuzzTimeoutMs,
  );
});

const endingName = (ending: { end: string; status?: number }): string =>
  ending.status === undefined ? ending.end : `${ending.end} ${ending.status}`;

function told({ counterexample, counterexamplePath, seed, errorInstance }: fc.RunDetails<[Recipe]>): string {
  return `${String(errorInstance)}\n${JSON.stringify(counterexample)}\nNODELEDGER_FUZZ_SEED=${seed} NODELEDGER_FUZZ_PATH=${counterexamplePath}`;
}
