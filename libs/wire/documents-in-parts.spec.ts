import { createHash } from 'node:crypto';
import { Fleet } from '#fleet';
import { defaultLimits } from '#limits';
import { divided } from '../../test/support/log-in-parts';
import type { DocumentParts, WireCatalog, WireDocument, WireFactset } from './documents';
import { isUnchanged, readCommand, readDocumentInParts, type ReadOptions } from './read-command';

const fleet = new Fleet('parts');
const startTime = new Date('2026-01-01T00:00:00Z');
const options: ReadOptions = { limits: defaultLimits };
const header = (command: string, certname: string, version = command === 'replace facts' ? 5 : 9) => ({
  command,
  version,
  certname,
});
const withoutBytes = ({ rest, sections }: DocumentParts): DocumentParts => ({
  rest,
  sections: sections.map((section) => ({ ...section, bytes: undefined })),
});

const documents = [0, 1, 2].flatMap((machine) =>
  [0, 1].flatMap((run) => {
    const { facts, catalog } = fleet.run(machine, run, { startTime });
    return [facts, catalog].map(({ command, version, certname, text }) => ({
      head: header(command, certname, version),
      document: Buffer.from(text),
    }));
  }),
);

/** Everything that the projector stores. */
function content(document: WireDocument | undefined): unknown {
  if (document?.kind !== 'facts') return document;
  const { certname, environment, producer, producerTimestamp, hash, packages, packageCount, packageDigest } = document;
  const facts = document.facts.map(({ name, digest }) => [name, digest]);
  return { certname, environment, producer, producerTimestamp, hash, packages, packageCount, packageDigest, facts };
}

describe('a document in parts', () => {
  it('is read like the whole document', () => {
    for (const { head, document } of documents) {
      const whole = readCommand(head, document);
      const read = readDocumentInParts(head, divided(head.command, document), options);
      expect(read).toBeDefined();
      expect(content(read)).toEqual(content(whole));
    }
  });

  it('is not read if the parts are invalid, so that the error has offsets in the whole document', () => {
    const certname = 'oak.wood.test';
    const facts = {
      certname,
      environment: 'grove',
      producer_timestamp: '2031-02-03T04:05:06Z',
      producer: null,
      values: { leaf: 'green' },
    };
    const resources = [{ type: 'File', title: '/a', exported: false, tags: [] }];
    const catalog = {
      ...{ certname, version: '1', producer: null, catalog_uuid: null, code_id: null },
      producer_timestamp: '2031-02-03T04:05:06Z',
    };
    const edge = {
      source: { type: 'File', title: '/a' },
      target: { type: 'File', title: '/b' },
      relationship: 'before',
    };
    const refused: [string, object, ReadOptions?][] = [
      ['replace facts', { ...facts, package_inventory: [['a', '1']] }],
      ['replace facts', { ...facts, package_inventory: [['a', '1', 'apt'], 7] }],
      ['replace facts', { ...facts, colour: 1, package_inventory: [['a', '1', 'apt']] }],
      ['replace facts', { ...facts, certname: 'elm', package_inventory: [['a', '1', 'apt']] }],
      ['replace facts', { ...facts, values: { package_inventory: [['a', '1', 'apt']] } }],
      [
        'replace facts',
        {
          ...facts,
          package_inventory: [
            ['a', '1', 'apt'],
            ['b', '1', 'apt'],
          ],
        },
        { limits: { ...defaultLimits, packages: 1 } },
      ],
      ['replace catalog', { ...catalog, resources, edges: [edge] }],
      ['replace catalog', { ...catalog, resources: [...resources, ...resources], edges: [] }],
      ['replace catalog', { ...catalog, resources, edges: [], producer_timestamp: 'x' }],
      ['replace catalog', { ...catalog, resources, edges: [] }, { limits: { ...defaultLimits, documentValues: 10 } }],
    ];
    for (const [command, document, how = options] of refused) {
      const parts = divided(command, Buffer.from(JSON.stringify(document)));
      expect(parts.sections.length).toBeGreaterThan(0);
      expect(readDocumentInParts(header(command, certname), parts, how)).toBeUndefined();
    }
    for (const section of [
      '[["a","1","apt"]',
      '[["a","1","apt"]]]',
      '[["a","1","apt"]],"values":{}',
      '[["a","1","apt"],]',
    ]) {
      const { rest, sections } = divided(
        'replace facts',
        Buffer.from(JSON.stringify({ ...facts, package_inventory: [['a', '1', 'apt']] })),
      );
      const parts = { rest, sections: sections.map((one) => ({ ...one, bytes: Buffer.from(section) })) };
      expect(readDocumentInParts(header('replace facts', certname), parts, options)).toBeUndefined();
    }
    for (const part of ['resources', 'edges']) {
      const document = Buffer.from(JSON.stringify({ ...catalog, resources, edges: [] }));
      const { rest, sections } = divided('replace catalog', document);
      const place = part === 'resources' ? 0 : 1;
      const changed = sections.map((one, index) =>
        index === place ? { ...one, bytes: Buffer.concat([one.bytes!, Buffer.from(' 1')]) } : one,
      );
      const read = (given: DocumentParts): unknown =>
        readDocumentInParts(header('replace catalog', certname), given, options);
      expect(read({ rest, sections })).toBeDefined();
      expect(read({ rest, sections: changed })).toBeUndefined();
    }
  });

  it('takes the last of two sections with one name, as in the whole document', () => {
    const certname = 'oak.wood.test';
    const document = Buffer.from(
      `{"certname":"${certname}","package_inventory":[["a","1","apt"]],"environment":null,"producer":null,` +
        `"producer_timestamp":"2031-02-03T04:05:06Z","values":{},"package_inventory":[["b","1","apt"]]}`,
    );
    const head = header('replace facts', certname);
    expect(readDocumentInParts(head, divided('replace facts', document), options)).toBeUndefined();
    expect((readCommand(head, document) as WireFactset).packages).toEqual([['b', '1', 'apt']]);
  });

  it('needs no sections that the node has', () => {
    for (const { head, document } of documents) {
      const parts = divided(head.command, document);
      const whole = readDocumentInParts(head, parts, options) as WireCatalog | WireFactset;
      const known: ReadOptions =
        whole.kind === 'facts'
          ? { ...options, packageDigest: whole.packageDigest }
          : { ...options, catalog: whole.sections };
      expect(isUnchanged(head, parts.sections, known)).toBe(true);
      expect(isUnchanged(head, parts.sections, options)).toBe(false);
      const read = readDocumentInParts(head, withoutBytes(parts), known);
      if (whole.kind === 'facts') {
        expect(content(read)).toEqual({ ...(content(whole) as object), packages: undefined });
      } else expect(read).toEqual({ ...whole, content: undefined });
      expect(readDocumentInParts(head, withoutBytes(parts), options)).toBeUndefined();
    }
  });

  describe('with the inventory that its node has', () => {
    const certname = 'fir.wood.test';
    const packages = [
      ['b', '1', 'apt'],
      ['a', 'ü\u2028', 'apt'],
    ];
    const factset = (over: object): Buffer =>
      Buffer.from(
        JSON.stringify({
          certname,
          environment: 'grove',
          producer_timestamp: '2031-02-03T04:05:06Z',
          producer: 'x',
          package_inventory: packages,
          values: { leaf: 'grün' },
          ...over,
        }),
      );
    const head = header('replace facts', certname);
    const read = (document: Buffer, how: ReadOptions, bytes = false): WireFactset | undefined => {
      const parts = divided('replace facts', document);
      return readDocumentInParts(head, bytes ? parts : withoutBytes(parts), how) as WireFactset | undefined;
    };

    it('has the hash of its own values, and reads the inventory if anything else differs', () => {
      const first = read(factset({}), options, true)!;
      const known = { ...options, packageDigest: first.packageDigest };
      for (const values of [{ leaf: 'red' }, {}, { leaf: 'grün' }]) {
        const document = factset({ values });
        const found = read(document, known)!;
        expect(found.hash).toBe((readCommand(head, document) as WireFactset).hash);
        expect(found).toMatchObject({ packages: undefined, packageCount: 2 });
      }
      expect(read(factset({ environment: 'other' }), known)).toBeUndefined();
      expect(read(factset({ package_inventory: [packages[0]] }), known)).toBeUndefined();
      expect(read(factset({}), { ...known, limits: { ...defaultLimits } })).toBeUndefined();
      const others = { ...options, packageDigest: createHash('sha1').update('x').digest() };
      expect(read(factset({}), others)).toBeUndefined();
      expect(read(factset({ environment: 'other' }), known, true)!.packages).toEqual([packages[1], packages[0]]);
      expect(read(factset({}), known)).toBeUndefined();
    });

    it('has no packages if the inventory is empty', () => {
      const empty = read(factset({ package_inventory: [] }), options, true)!;
      expect(empty).toMatchObject({ packages: [], packageCount: 0, packageDigest: undefined });
      expect(empty.hash).toBe((readCommand(head, factset({ package_inventory: undefined })) as WireFactset).hash);
    });
  });
});
