/**
 * Tests that the table of codes and the program agree: the compiler refuses a code without an entry, and this spec
 * refuses an entry without a use.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultCodes, type Surface } from '#fault';

const root = join(__dirname, '../..');
const entries = Object.entries(faultCodes);

/** The sources of the product, without the table itself. */
const sources = ['libs', 'apps', 'migrations'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => join(folder, file))
    .filter((file) => !file.startsWith('libs/fault/'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') })),
);

/** Returns true if the source creates a fault with this code. A comparison with the code does not count. */
function uses({ file, text }: { file: string; text: string }, code: string): boolean {
  const written = new RegExp(`(?<![=!]== |includes\\()'${code.replaceAll('.', '\\.')}'`);
  if (written.test(text)) return true;
  return (
    file.startsWith('libs/query/') &&
    code.startsWith('query.') &&
    new RegExp(`malformed\\(\\s*'${code.slice('query.'.length)}'`).test(text)
  );
}

it('every code of the table is used', () => {
  const unused = entries.map(([code]) => code).filter((code) => !sources.some((source) => uses(source, code)));
  expect(unused).toEqual([]);
});

it('a code without a use is found', () => {
  expect(sources.some((source) => uses(source, 'query.unheard-of'))).toBe(false);
});

const statuses = [400, 401, 403, 404, 406, 408, 409, 410, 413, 415, 431, 500, 503, 504];
const surfaces: readonly Surface[] = ['dead letter', 'start', 'command line', 'service log'];

test.each(entries)('%s says where it shows up, what it means and what to do', (code, { shows, meaning, remedy }) => {
  expect(code).toMatch(/^[a-z]+\.[a-z]+(-[a-z]+)*$/);
  expect(shows.length).toBeGreaterThan(0);
  expect([...shows].filter((surface) => !surfaces.includes(surface) && !statuses.includes(surface as number))).toEqual(
    [],
  );
  expect(meaning).toMatch(/^[A-Z].{15,}[.]$/s);
  expect(remedy).toMatch(/^[A-Z].{5,}[.]$/s);
});
