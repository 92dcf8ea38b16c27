/**
 * Tests that the processor time of reading queries and payloads grows at most linearly with their size. The short form
 * tests some shapes and places. With 50,000 cases and more, it tests all of them at larger sizes.
 */
import { fuzzTimeoutMs, thorough } from '../case-count';
import { steepness } from './growth';
import { ladders } from './ladders';
import { currentPayloads } from './payload-documents';
import { ReaderProcess } from './reader-process';

const readers = new ReaderProcess();
afterAll(() => readers.stop());

describe('the time to read it grows at most in proportion to the size', () => {
  const all = [...ladders()].map(([name, recipe, most]) => [name, recipe, thorough ? most : most / 4] as const);
  const isPlace = (name: string): boolean => currentPayloads.some((of) => name.startsWith(`${of}, `));
  const places = all.filter(([name]) => isPlace(name));

  // In the short form: shapes that once took quadratic time or more, and every fourth of the others.
  const once = /digit steps|unclosed (quoted|match)|indexes and more|under or|rows of|equal columns|900 lists/;
  const shapes = all.filter(([name]) => !isPlace(name));
  it.each(shapes.filter(([name], index) => thorough || once.test(name) || index % 4 === 0))(
    '%s',
    async (_, recipe, most) => {
      expect(await steepness(readers, recipe, most)).toBe('');
    },
    600_000,
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
    fuzzTimeoutMs,
  );
});
