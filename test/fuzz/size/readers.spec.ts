/**
 * What reads queries and payloads, at many sizes: everything is taken or refused in an orderly way, processor time grows
 * at most in proportion to the size, and memory stays bounded. The readers run in a process of their own, whose heap is
 * limited. NODELEDGER_FUZZ_CASES, NODELEDGER_FUZZ_SEED and NODELEDGER_FUZZ_PATH: see CONTRIBUTING.md.
 */
import fc from 'fast-check';
import { casesOf, fuzzPath, fuzzSeed, thorough } from '../case-count';
import { complaint } from './complaint';
import { steepness } from './growth';
import { ladders } from './ladders';
import { currentPayloads } from './payload-documents';
import { ReaderProcess } from './reader-process';
import type { Recipe } from './recipe';
import { gzipRecipes, payloadRecipes, queryRecipes } from './recipes';

/** What the process holds at its most, the program and the largest case included. */
const mostMegabytes = 900;

const readers = new ReaderProcess();
afterAll(() => readers.stop());

describe.each<[Parameters<typeof casesOf>[0], fc.Arbitrary<Recipe>]>([
  ['sizes of queries', queryRecipes],
  ['sizes of payloads', payloadRecipes],
  ['sizes of compressed bodies', gzipRecipes],
])('%s', (name, recipes) => {
  it('are taken or refused, in time and memory that their size explains', async () => {
    const endings: Record<string, number> = {};
    const property = fc.asyncProperty(recipes, async (recipe) => {
      const outcome = await readers.run({ recipe, repeats: 1 });
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
      `${name}: seed ${fuzzSeed}, ${found.numRuns} cases, ${JSON.stringify(endings)}, at most ${Math.round(peakMegabytes)} MB`,
    );
    expect(found.failed ? told(found) : '').toBe('');
    expect(peakMegabytes).toBeLessThan(mostMegabytes);
  }, 1_200_000);
});

const endingName = (ending: { end: string; status?: number }): string =>
  ending.status === undefined ? ending.end : `${ending.end} ${ending.status}`;

function told({ counterexample, counterexamplePath, seed, errorInstance }: fc.RunDetails<[Recipe]>): string {
  return `${String(errorInstance)}\n${JSON.stringify(counterexample)}\nNODELEDGER_FUZZ_SEED=${seed} NODELEDGER_FUZZ_PATH=${counterexamplePath}`;
}

describe('the time to read it grows at most in proportion to the size', () => {
  const all = [...ladders()].map(([name, recipe, most]) => [name, recipe, thorough ? most : most / 4] as const);
  const isPlace = (name: string): boolean => currentPayloads.some((of) => name.startsWith(`${of}, `));
  const places = all.filter(([name]) => isPlace(name));

  // In the short form: those that once took the square of their size, or more, and every fourth of the others.
  const once = /digit steps|unclosed (quoted|match)|indexes and more|under or|rows of|equal columns|900 lists/;
  const shapes = all.filter(([name]) => !isPlace(name));
  it.each(shapes.filter(([name], index) => thorough || once.test(name) || index % 4 === 0))(
    '%s',
    async (_, recipe, most) => {
      expect(await steepness(readers, recipe, most)).toBe('');
    },
  );

  it.each(currentPayloads)(
    'each place of %s',
    async (of) => {
      const wrong: string[] = [];
      const ofPayload = places.filter(([name], index) => name.startsWith(`${of}, `) && (thorough || index % 25 === 0));
      for (const [name, recipe, most] of ofPayload) {
        const found = await steepness(readers, recipe, most);
        if (found !== '') wrong.push(`${name}: ${found}`);
      }
      expect(wrong).toEqual([]);
    },
    600_000,
  );
});
