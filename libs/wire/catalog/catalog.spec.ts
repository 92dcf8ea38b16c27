import { isFault } from '#fault';
import { defaultLimits } from '#limits';
import type { WireCatalog } from '../documents';
import { readCommand, type ReadOptions } from '../read-command';

const certname = 'oak.wood.test';
const uuid = '0f0e0d0c-0b0a-4908-8706-050403020100';
const wood = {
  type: 'Class',
  title: 'Wood',
  exported: false,
  file: '/m/wood.pp',
  line: 3,
  tags: ['class', 'wood'],
  parameters: { size: 1 },
};
const file = { type: 'File', title: '/etc/ü', exported: true, tags: ['file'], parameters: {} };
const edge = {
  source: { type: 'Class', title: 'Wood' },
  target: { type: 'File', title: '/etc/ü' },
  relationship: 'contains',
};
const good = {
  certname,
  version: '17',
  environment: 'grove',
  transaction_uuid: uuid,
  catalog_uuid: uuid,
  code_id: 'c',
  job_id: 'j',
  producer: 'acorn.test',
  producer_timestamp: '2031-02-03T04:05:06Z',
  edges: [edge],
  resources: [wood, file],
};

const readText = (text: string, version = 9, known?: ReadOptions): WireCatalog =>
  readCommand({ command: 'replace catalog', version, certname }, Buffer.from(text), known) as WireCatalog;
const read = (change: object = {}, version = 9): WireCatalog =>
  readText(JSON.stringify({ ...good, ...change }), version);
const withWood = (change: object): object => ({ resources: [{ ...wood, ...change }, file] });
const problems = (change: object, version = 9): unknown => {
  try {
    read(change, version);
  } catch (error) {
    if (isFault(error)) return error.details;
    throw error;
  }
  return [];
};

describe('replace catalog 9', () => {
  it('gives the catalog', () => {
    const catalog = read();

    expect(catalog).toMatchObject({
      kind: 'catalog',
      certname,
      version: '17',
      environment: 'grove',
      transactionUuid: uuid,
      catalogUuid: uuid,
      codeId: 'c',
      jobId: 'j',
      producer: 'acorn.test',
      producerTimestamp: '2031-02-03T04:05:06.000Z',
    });
    expect(catalog.content!.edges).toEqual([
      { sourceType: 'Class', sourceTitle: 'Wood', targetType: 'File', targetTitle: '/etc/ü', relationship: 'contains' },
    ]);
    expect(catalog.content!.resources).toMatchObject([
      {
        type: 'Class',
        title: 'Wood',
        exported: false,
        file: '/m/wood.pp',
        line: 3,
        tags: ['class', 'wood'],
        parameters: '{"size":1}',
      },
      { type: 'File', title: '/etc/ü', exported: true, file: null, line: null, tags: ['file'], parameters: '{}' },
    ]);
  });

  it('is the same in any order of fields', () => {
    const turned = JSON.stringify(Object.fromEntries(Object.entries(good).reverse()), undefined, 1);
    expect(readText(turned).content).toEqual(read().content);
  });

  it.each([
    { environment: undefined, transaction_uuid: undefined, job_id: undefined },
    { environment: null, transaction_uuid: null, catalog_uuid: null, code_id: null, job_id: null, producer: null },
    { transaction_uuid: uuid.toUpperCase() },
    { producer_timestamp: 1930000000000 },
    { resources: [], edges: [] },
    { edges: [] },
    { edges: [edge, edge] },
    { edges: [{ ...edge, note: 1 }] },
    { colour: 'red' },
    withWood({ colour: 'red', aliases: ['x'] }),
    withWood({ parameters: null }),
    withWood({ parameters: undefined, file: undefined, line: undefined }),
    withWood({ file: null, line: null, tags: [] }),
    withWood({ tags: ['_x', '1', 'x:y.z-w', 'grün', 'ß', 'ǅ', '９', 'x²', '漢', '𝒂'] }),
    withWood({ title: 'w'.repeat(12_000) }),
  ])('accepts %j', (change) => {
    const edges = 'resources' in change ? { edges: [] } : {};
    expect(problems({ ...edges, ...change })).toEqual([]);
  });

  it.each<[string, object, string, string]>([
    ['version', { version: undefined }, 'a value', 'nothing'],
    ['producer', { producer: undefined }, 'a value', 'nothing'],
    ['catalog_uuid', { catalog_uuid: undefined }, 'a value', 'nothing'],
    ['code_id', { code_id: undefined }, 'a value', 'nothing'],
    ['edges', { edges: undefined }, 'a value', 'nothing'],
    ['version', { version: 17 }, 'a string', 'a number'],
    ['version', { version: null }, 'a string', 'null'],
    ['code_id', { code_id: 17 }, 'a string or null', 'a number'],
    ['environment', { environment: 'a\0' }, 'a string without U+0000', 'one with it'],
    ['transaction_uuid', { transaction_uuid: 'nope' }, 'a UUID', '"nope"'],
    ['producer_timestamp', { producer_timestamp: null }, 'an ISO 8601 time or milliseconds since 1970', 'null'],
    ['edges', { edges: null }, 'an array', 'null'],
    ['resources', { resources: { 'Class[Wood]': wood } }, 'an array', 'an object'],
    ['resources', { resources: 'x' }, 'an array', 'a string'],
    ['resources[0].type', withWood({ type: undefined }), 'a value', 'nothing'],
    ['resources[0].title', withWood({ title: 7 }), 'a string', 'a number'],
    ['resources[0].title', withWood({ title: 'a\0' }), 'a string without U+0000', 'one with it'],
    ['resources[0].exported', withWood({ exported: undefined }), 'a value', 'nothing'],
    ['resources[0].exported', withWood({ exported: 'true' }), 'a boolean', 'a string'],
    ['resources[0].file', withWood({ file: {} }), 'a string or null', 'an object'],
    ['resources[0].line', withWood({ line: '3' }), 'an integer of 32 bits or null', 'a string'],
    ['resources[0].line', withWood({ line: 2 ** 31 }), 'an integer of 32 bits or null', 'a number'],
    ['resources[0].tags', withWood({ tags: undefined }), 'a value', 'nothing'],
    ['resources[0].tags', withWood({ tags: null }), 'an array of strings', 'null'],
    ['resources[0].tags[1]', withWood({ tags: ['a', 1] }), 'a string', 'a number'],
    ['resources[0].parameters', withWood({ parameters: 'x' }), 'an object or null', 'a string'],
    ['resources[0]', { resources: ['x', wood, file] }, 'an object', 'a string'],
    ['resources[2]', { resources: [wood, file, wood] }, 'a resource of its own', '"Class[Wood]" once more'],
    [
      'edges[0].relationship',
      { edges: [{ ...edge, relationship: 'likes' }] },
      'contains, before, required-by, notifies, subscription-of',
      '"likes"',
    ],
    ['edges[0].relationship', { edges: [{ ...edge, relationship: undefined }] }, 'a value', 'nothing'],
    [
      'edges[1].source',
      { edges: [edge, { ...edge, source: { type: 'Class', title: 'Stone' } }] },
      'a resource of this catalog',
      '"Class[Stone]"',
    ],
    ['edges[0].target', { edges: [{ ...edge, target: null }] }, 'an object', 'null'],
    ['edges[0].target.title', { edges: [{ ...edge, target: { type: 'File' } }] }, 'a value', 'nothing'],
    [
      'edges[0].source.note',
      { edges: [{ ...edge, source: { ...edge.source, note: 1 } }] },
      'no field of this name',
      'a number',
    ],
  ])('%s of %j: expected %s, found %s', (path, change, expected, found) => {
    expect(
      problems(
        'resources' in change && Array.isArray(change.resources) && path.startsWith('resources')
          ? { edges: [], ...change }
          : change,
      ),
    ).toEqual([{ path, expected, found }]);
  });

  it.each(['Xx', 'x y', '-x', ':x', '.x', 'Ä', 'İ', '', 'x\n', 'x@y', 'x/y', 'x_Y', 'e\u0301'])(
    'refuses the tag %j',
    (tag) => {
      expect(problems({ edges: [], ...withWood({ tags: ['fine', tag] }) })).toMatchObject([
        { path: 'resources[0].tags', found: JSON.stringify(tag) },
      ]);
    },
  );

  it('gives distinct tags in the order sent', () => {
    expect(read(withWood({ tags: ['b', 'a', 'b', 'c'] })).content!.resources[0]!.tags).toEqual(['b', 'a', 'c']);
  });

  it.each([
    ['7', 7, 7],
    ['7.0', 7, 7],
    ['1.5', 2, 2],
    ['2.5', 2, 2],
    ['-1.5', -2, -2],
    ['1e3', 1000, 1000],
  ])('takes the line %s for %d', (sent, line) => {
    const text = JSON.stringify(good).replace('"line":3', `"line":${sent}`);
    expect(readText(text).content!.resources[0]!.line).toBe(line);
  });

  it('takes a number as file for its text', () => {
    expect(read(withWood({ file: 7 })).content!.resources[0]!.file).toBe('7');
  });

  it('spells parameters for jsonb', () => {
    const text = JSON.stringify(good).replace(
      '{"size":1}',
      '{ "z":1e21 ,"a":"x\\u0000\\ud800", "b":[1.50,-0,12345678901234567890] }',
    );
    const [resource] = readText(text).content!.resources;
    expect(resource!.parameters).toBe('{"a":"x\ufffd?","b":[1.5,0,12345678901234567890],"z":1.0E21}');
  });

  it('tells resources apart by all that they say', () => {
    const contents = (change: object): string[] =>
      read({ edges: [], ...withWood(change) }).content!.resources.map((r) => `${r.hash} ${r.content}`);
    const [same] = contents({});
    expect(contents({ parameters: { size: 1 }, aliases: [] })[0]).toBe(same);
    const others = [
      { line: 4 },
      { file: null },
      { exported: true },
      { tags: ['wood', 'class'] },
      { parameters: { size: 2 } },
      { title: 'Wud' },
    ];
    const all = others.map((change) => contents(change)[0]!);
    expect(new Set([same, ...all].map((one) => one!.split(' ')[1])).size).toBe(others.length + 1);
    // The resource's hash covers type, title and parameters only.
    expect(new Set([same, ...all].map((one) => one!.split(' ')[0])).size).toBe(3);
    expect(same!.split(' ')[1]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe('older versions of replace catalog', () => {
  const head = (version: number, change: object = {}): object => {
    const { transactionUuid, catalogUuid, codeId, jobId, producer } = read(change, version);
    return { transactionUuid, catalogUuid, codeId, jobId, producer };
  };
  const other = '11111111-0b0a-4908-8706-050403020100';

  it('do not know what came later', () => {
    const sent = { catalog_uuid: other };
    expect(head(8, sent)).toEqual({
      transactionUuid: uuid,
      catalogUuid: other,
      codeId: 'c',
      jobId: null,
      producer: null,
    });
    expect(head(7, sent)).toEqual({
      transactionUuid: uuid,
      catalogUuid: uuid,
      codeId: 'c',
      jobId: null,
      producer: null,
    });
    expect(head(6, sent)).toEqual({
      transactionUuid: uuid,
      catalogUuid: uuid,
      codeId: null,
      jobId: null,
      producer: null,
    });
  });

  it('do not need it', () => {
    expect(problems({ producer: undefined, job_id: undefined }, 8)).toEqual([]);
    expect(problems({ producer: undefined, catalog_uuid: undefined }, 7)).toEqual([]);
    expect(
      problems({ producer: undefined, catalog_uuid: undefined, code_id: undefined, transaction_uuid: undefined }, 6),
    ).toEqual([]);
  });

  it('need the rest', () => {
    expect(problems({ catalog_uuid: undefined }, 8)).toHaveLength(1);
    expect(problems({ code_id: undefined }, 7)).toHaveLength(1);
    expect(problems({ version: undefined }, 6)).toHaveLength(1);
  });
});

describe('known sections', () => {
  const known = (catalog: WireCatalog): ReadOptions => ({
    limits: defaultLimits,
    catalog: catalog.sections,
  });
  const first = read();

  it('are not parsed again, wherever they stand', () => {
    const later = { version: '18', producer_timestamp: '2031-02-03T05:05:06Z', environment: 'grün' };
    for (const text of [
      JSON.stringify({ ...good, ...later }),
      JSON.stringify(Object.fromEntries(Object.entries({ ...good, ...later }).reverse())),
      JSON.stringify({ ...good, ...later }).replace('"edges":', '"edges" \n:\t '),
    ]) {
      const catalog = readText(text, 9, known(first));
      expect(catalog).toMatchObject({
        certname,
        version: '18',
        environment: 'grün',
        producerTimestamp: '2031-02-03T05:05:06.000Z',
      });
      expect(catalog.content).toBeUndefined();
      expect(catalog.sections).toEqual(first.sections);
    }
  });

  it.each<[string, object]>([
    ['resources', withWood({ line: 4 })],
    ['resources of the same length', withWood({ line: 9 })],
    ['edges', { edges: [] }],
  ])('are parsed with changed %s', (_, change) => {
    const catalog = readText(JSON.stringify({ ...good, ...change }), 9, known(first));
    expect(catalog).toEqual(read(change));
    expect(catalog.content).toBeDefined();
  });

  it('have digests of bytes, not of characters', () => {
    const bytes = Buffer.from(JSON.stringify(good.resources));
    expect(first.sections.resources.length).toBe(bytes.length);
    expect(bytes.length).toBeGreaterThan(JSON.stringify(good.resources).length);
  });

  it('count only as members of the catalog itself', () => {
    const resources = JSON.stringify(good.resources);
    const disguised = JSON.stringify({ ...good, resources: [] }).replace(
      '"edges"',
      `"x":{"resources":${resources}},"edges"`,
    );
    expect(() => readText(disguised, 9, known(first))).toThrow('a resource of this catalog');
    const twice = JSON.stringify(good).replace(/}$/, ',"resources":[]}');
    expect(() => readText(twice, 9, known(first))).toThrow('a resource of this catalog');
  });

  it('do not hide what is wrong beside them', () => {
    expect(() => readText(JSON.stringify({ ...good, version: 7 }), 9, known(first))).toThrow(
      'version: expected a string, found a number',
    );
    expect(() => readText(JSON.stringify(good).slice(0, -1), 9, known(first))).toThrow('Not JSON');
    const bytes = Buffer.from(JSON.stringify({ ...good, version: 'ÿ' }), 'latin1');
    const header = { command: 'replace catalog', version: 9, certname };
    expect(() => readCommand(header, bytes, known(first))).toThrow('not valid UTF-8');
  });
});

describe('resources that were read before', () => {
  it('are the same to the last field in another catalog, whatever stands around them', () => {
    const once = read().content!;
    const again = read({ version: '18', edges: [], resources: [file, { ...wood, title: 'Other' }, wood] }).content!;
    expect(again.resources[2]).toEqual(once.resources[0]);
    expect(again.resources[0]).toEqual(once.resources[1]);
    expect(again.hash).not.toBe(once.hash);
  });

  it('are told twice in one catalog all the same', () => {
    expect(problems({ edges: [], resources: [wood, file, wood, file] })).toMatchObject([
      { path: 'resources[2]', found: '"Class[Wood]" once more' },
      { path: 'resources[3]', found: '"File[/etc/ü]" once more' },
    ]);
  });

  it('do not cover for a wrong one', () => {
    expect(problems(withWood({ line: 'x' }))).toHaveLength(1);
    expect(problems(withWood({ line: 'x' }))).toHaveLength(1);
  });
});

describe('edges that were read before', () => {
  it('are the same in another catalog, and count once', () => {
    const once = read().content!;
    const again = read({ edges: [{ ...edge, relationship: 'before' }, edge, edge] }).content!;
    expect(again.edges).toHaveLength(2);
    expect(again.edges).toEqual(expect.arrayContaining([...once.edges]));
  });

  it.each(['source', 'target'])('are refused in a catalog without the resource of their %s', (end) => {
    read();
    const left = end === 'source' ? [file] : [wood];
    expect(problems({ resources: left })).toMatchObject([
      { path: `edges[0].${end}`, expected: 'a resource of this catalog' },
    ]);
  });
});
