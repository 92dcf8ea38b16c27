import { isDeepStrictEqual } from 'node:util';
import { isFault } from '#fault';
import { catalog, edge, resource } from '../../../test/support/documents';
import { mutated, seeded } from '../../../test/support/mutations';
import { Problems } from '../check/problems';
import { JsonScan } from '../json/scan';
import { ElementCache } from './element-cache';
import { readCatalog } from './v9';

/** Reads the elements of a section through the cache. Returns the texts that the cache did not contain. */
function missed(cache: ElementCache<string>, elements: readonly string[], problems = new Problems('')): string[] {
  const text = elements.join();
  const read: string[] = [];
  const next = cache.reader(new JsonScan(text), problems, (copy) => {
    read.push(copy);
    if (copy.includes('bad')) problems.add('', '', '');
    return copy;
  });
  let pos = 0;
  for (const element of elements) {
    const { value, end } = next(pos);
    expect([value, end]).toEqual([element, pos + element.length]);
    pos = end + 1;
  }
  return read;
}
const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `{"${prefix}":${index}}`);

describe('the cache of elements', () => {
  it('reads an element once, in whichever order the elements come', () => {
    const cache = new ElementCache<string>(1 << 20);
    const [a, b, c] = ['{"a":1}', '{"a":12}', '[3]'];
    expect(missed(cache, [a, b, c])).toEqual([a, b, c]);
    expect(missed(cache, [a, b, c, b, a, a, c])).toEqual([]);
    expect(missed(cache, [c, '{"d":1}', a])).toEqual(['{"d":1}']);
  });

  it('reads elements with problems, and long ones, each time', () => {
    const cache = new ElementCache<string>(1 << 20);
    const elements = ['1', '"bad"', `"${'x'.repeat(40_000)}"`, '2'];
    expect(missed(cache, elements)).toEqual(elements);
    expect(missed(cache, elements)).toEqual(elements.slice(1, 3));
  });

  it('forgets the elements that were not found again when it is full', () => {
    const cache = new ElementCache<string>(100 * 1_000);
    const shared = numbered('shared', 10);
    missed(cache, [...shared, ...numbered('first', 10)]);
    for (let round = 0; round < 20; round++)
      expect(missed(cache, [...shared, ...numbered(`round ${round}`, 20)])).toHaveLength(20);
    expect(missed(cache, numbered('first', 10))).toHaveLength(10);
    expect(missed(cache, numbered('round 19', 20))).toEqual([]);
  });
});

/** Returns white space that differs for each number. */
const whiteSpace = (number: number): string => number.toString(2).replaceAll('0', ' ').replaceAll('1', '\t');

const outcome = (text: string): unknown => {
  try {
    const { content } = readCatalog(Buffer.from(text));
    return content;
  } catch (error) {
    if (!isFault(error)) throw error;
    // Faults of the JSON text contain offsets, which the white space changes.
    return { code: error.code, ...(error.code === 'wire.shape' && { details: error.details }) };
  }
};

test('catalogs with thousands of mistakes are read alike with and without elements from the cache', () => {
  const resources = [
    resource('Main', { type: 'Class', parameters: { a: 1, 'b"\\': 'x\n\u00fc', c: [1.5, null, { d: true, 10: 1 }] } }),
    resource('/etc/\u00fc"', { line: null, file: undefined, parameters: undefined }),
    resource('a', { tags: [], parameters: null, extra: { edges: [1], resources: [{}] } }),
    resource('ab', { exported: true, tags: ['b', 'a', 'b'] }),
  ];
  const edges = [
    { ...edge('a', 'ab'), source: { type: 'Class', title: 'Main' } },
    edge('a', 'ab'),
    edge('a', '/etc/\u00fc"', 'contains'),
    edge('a', 'ab'),
  ];
  const text = JSON.stringify(catalog('a.test', resources, edges));
  const next = seeded(7);
  let good = 0;
  let fresh = 0;
  for (let index = 0; index < 3_000; index++) {
    const changed = mutated(text, next);
    try {
      JSON.parse(changed);
    } catch {
      continue;
    }
    // Other white space makes each element new without changing the meaning.
    const unknown = changed.replace(/"(exported|relationship)":/g, (member) => `${whiteSpace(fresh++)}${member}`);
    const found = outcome(changed);
    if (!isDeepStrictEqual(found, outcome(unknown)))
      expect({ changed, found }).toEqual({ changed, found: outcome(unknown) });
    if ('resources' in (found as object)) good++;
  }
  expect(good).toBeGreaterThan(200);
});
