import { isDeepStrictEqual } from 'node:util';
import { Fleet } from '#fleet';
import { isFault } from '#fault';
import { defaultLimits, type Limits } from '#limits';
import { catalog, edge, resource } from '../../../test/support/documents';
import { mutated, seeded } from '../../../test/support/mutations';
import type { WireCatalog } from '../documents';
import { readQuickly } from './catalog-memory';
import { catalogV9, readAny, readCatalog } from './v9';

const outcome = (read: () => WireCatalog): unknown => {
  try {
    return read();
  } catch (error) {
    if (!isFault(error)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
};
const carefully = (bytes: Buffer, limits: Limits = defaultLimits): unknown =>
  outcome(() => readAny(bytes, catalogV9, limits));
const usually = (bytes: Buffer, limits: Limits = defaultLimits): unknown =>
  outcome(() => readCatalog(bytes, catalogV9, undefined, limits));

const startTime = new Date('2031-02-03T04:00:00Z');
const resources = [
  resource('Main', {
    type: 'Class',
    parameters: { a: 1, 'b"\\': 'x\n\u00fc', c: [1.5, null, { d: true, 10: 1, 9: [] }] },
  }),
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
const small = catalog('a.test', resources, edges);
const turned = Object.fromEntries(Object.entries(small).reverse());

describe('the two readers of catalogs', () => {
  it('agree about the catalogs of a fleet', () => {
    for (const layout of ['pretty', 'compact'] as const) {
      const fleet = new Fleet('same', layout);
      for (const [node, run] of [
        [0, 0],
        [0, 3],
      ] as const) {
        const bytes = Buffer.from(fleet.run(node, run, { startTime }).catalog.text);
        expect(readQuickly(bytes, defaultLimits)).toBeDefined();
        expect(isDeepStrictEqual(usually(bytes), carefully(bytes))).toBe(true);
      }
    }
  });

  it('agree about thousands of catalogs with mistakes', () => {
    const next = seeded(7);
    const texts = [JSON.stringify(small), JSON.stringify(small, undefined, 1), JSON.stringify(turned)];
    let good = 0;
    for (let index = 0; index < 3_000; index++) {
      const bytes = Buffer.from(mutated(texts[index % texts.length] as string, next));
      // Cutting through a character makes bytes that are not UTF-8.
      if (next(20) === 0) bytes[next(bytes.length)] = next(256);
      const expected = carefully(bytes);
      const found = usually(bytes);
      if (!isDeepStrictEqual(found, expected))
        expect({ text: bytes.toString(), found }).toEqual({ text: bytes.toString(), found: expected });
      if ((expected as { kind?: string }).kind === 'catalog') good++;
    }
    expect(good).toBeGreaterThan(200);
    expect(good).toBeLessThan(2_500);
  });

  it('agree about what each limit admits', () => {
    const deep = catalog('a.test', [resource('a', { parameters: { a: [[[[[]]]]] } })], []);
    for (const [document, name, least] of [
      [small, 'resources', 3],
      [small, 'edges', 3],
      [deep, 'documentDepth', 8],
    ] as const) {
      const bytes = Buffer.from(JSON.stringify(document));
      for (const value of [defaultLimits[name], least, least + 1, defaultLimits[name], least + 2, least]) {
        const limits = { ...defaultLimits, [name]: value };
        expect(usually(bytes, limits)).toEqual(carefully(bytes, limits));
      }
    }
  });

  it('agree when the memory of elements is full again and again', () => {
    const shared = Array.from({ length: 30 }, (_, index) => resource(`shared ${index}`, { file: `/${index}.pp` }));
    const chain = (titles: readonly string[]): unknown[] =>
      titles.slice(1).map((title, index) => edge(titles[index] as string, title));
    for (let node = 0; node < 24; node++) {
      // 10 MB of them fill the memory.
      const own = Array.from({ length: 60 }, (_, index) =>
        resource(`own ${node} ${index}`, { parameters: { content: `${node}${'x'.repeat(20_000)}`, index } }),
      );
      const resources = node % 2 === 0 ? [...shared, ...own] : [...own, ...shared.slice().reverse()];
      const titles = resources.map(({ title }) => title as string);
      const bytes = Buffer.from(JSON.stringify(catalog(`node${node}`, resources, chain(titles))));
      const found = usually(bytes);
      // The careful reader takes its time for such documents.
      if (node % 6 === 5) expect(isDeepStrictEqual(found, carefully(bytes))).toBe(true);
      expect(readQuickly(bytes, defaultLimits)).toBeDefined();
    }
  });
});
