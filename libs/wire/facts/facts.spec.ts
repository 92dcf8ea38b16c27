import { createHash } from 'node:crypto';
import { isFault } from '#fault';
import type { WireFactset } from '../documents';
import { readCommand } from '../read-command';

const certname = 'oak.wood.test';
const good = {
  certname,
  environment: 'grove',
  producer_timestamp: '2031-02-03T04:05:06+01:00',
  producer: 'acorn.test',
  values: { leaf: 'green' },
};

const readText = (text: string, version = 5): WireFactset =>
  readCommand({ command: 'replace facts', version, certname }, Buffer.from(text)) as WireFactset;
const read = (change: object, version = 5): WireFactset => readText(JSON.stringify({ ...good, ...change }), version);
const withValues = (values: string): WireFactset =>
  readText(JSON.stringify({ ...good, values: 0 }).replace('"values":0', `"values":${values}`));
const problems = (change: object, version = 5): unknown => {
  try {
    read(change, version);
  } catch (error) {
    if (isFault(error)) return error.details;
    throw error;
  }
  return [];
};

describe('replace facts 5', () => {
  it('gives the factset', () => {
    const factset = readText(` ${JSON.stringify(good, undefined, 2)}`);

    expect(factset).toMatchObject({
      kind: 'facts',
      certname,
      environment: 'grove',
      producer: 'acorn.test',
      producerTimestamp: '2031-02-03T03:05:06.000Z',
    });
    expect(factset.packages).toBeUndefined();
    expect(factset.facts.map((fact) => [fact.name, fact.value()])).toEqual([['leaf', '"green"']]);
  });

  it.each([
    ['environment', null],
    ['producer', null],
    ['values', {}],
    ['package_inventory', null],
    ['package_inventory', []],
    ['producer_timestamp', 1930000000000],
    ['producer_timestamp', '2031-02-03'],
  ])('accepts %s %j', (field, value) => {
    expect(problems({ [field]: value })).toEqual([]);
  });

  it.each([
    ['certname', undefined, 'a value', 'nothing'],
    ['environment', undefined, 'a value', 'nothing'],
    ['producer', undefined, 'a value', 'nothing'],
    ['producer_timestamp', undefined, 'a value', 'nothing'],
    ['values', undefined, 'a value', 'nothing'],
    ['certname', null, 'a string', 'null'],
    ['certname', 7, 'a string', 'a number'],
    ['environment', ['x'], 'a string or null', 'an array'],
    ['environment', 'a\0b', 'a string without U+0000', 'one with it'],
    ['producer', true, 'a string or null', 'a boolean'],
    ['producer_timestamp', null, 'an ISO 8601 time or milliseconds since 1970', 'null'],
    ['producer_timestamp', 'soon', 'an ISO 8601 time or milliseconds since 1970', '"soon"'],
    ['producer_timestamp', 1.5, 'an ISO 8601 time or milliseconds since 1970', 'a number'],
    ['values', null, 'an object', 'null'],
    ['values', [], 'an object', 'an array'],
    ['values', { 'a\0': 1 }, 'names and keys without U+0000', 'one with it'],
    ['package_inventory', {}, 'an array or null', 'an object'],
    ['colour', 'red', 'no field of this name', 'a string'],
  ])('%s %j: expected %s, found %s', (path, value, expected, found) => {
    expect(problems({ [path]: value })).toEqual([{ path, expected, found }]);
  });

  it.each([
    [['a', '1'], 'an array of 2 strings'],
    [['a', '1', 'apt', 'x'], 'an array of 4 strings'],
    [['a', null, 'apt'], 'one with other elements'],
    [['a', 1, 'apt'], 'one with other elements'],
    ['a', 'a string'],
  ])('refuses the package %j', (one, found) => {
    expect(problems({ package_inventory: [['b', '1', 'apt'], one] })).toEqual([
      { path: 'package_inventory[1]', expected: 'an array of name, version and provider', found },
    ]);
  });

  it('refuses U+0000 in a package', () => {
    expect(problems({ package_inventory: [['b\0', '1', 'apt']] })).toEqual([
      { path: 'package_inventory[0][0]', expected: 'a string without U+0000', found: 'one with it' },
    ]);
  });

  it('names all problems at once, 20 at most', () => {
    expect(problems({ certname: 1, producer: 2, values: 3, x: 4 })).toHaveLength(4);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`x${i}`, i]));
    expect(problems(many)).toHaveLength(20);
    expect(() => read(many)).toThrow(
      'replace facts 5 breaks its format: x0: expected no field of this name, found a number; x1',
    );
    expect(() => read(many)).toThrow('and 27 more.');
  });

  it.each(['', '  ', '{"certname": ', 'null', '[]', '"x"', '\ufeff{}'])('refuses %j', (text) => {
    expect(() => readText(text)).toThrow(expect.objectContaining({ kind: 'malformed' }) as Error);
  });

  it('does not mind what follows the document', () => {
    expect(readText(`${JSON.stringify(good)} tail`).certname).toBe(certname);
  });

  it('takes the last of equal fields', () => {
    expect(readText(`{"certname":7,${JSON.stringify(good).slice(1)}`).certname).toBe(certname);
    expect(withValues('{"a":1,"b":2,"a":3}').facts.map((fact) => [fact.name, fact.value()])).toEqual([
      ['a', '3'],
      ['b', '2'],
    ]);
  });

  it('gives packages distinct and sorted', () => {
    const packages = [
      ['twig', '2', 'apt'],
      ['bark', '1', 'gem'],
      ['twig', '2', 'apt'],
      ['bark', '1', 'apt'],
      ['Bark', '1', 'apt'],
    ];
    expect(read({ package_inventory: packages }).packages).toEqual([
      packages[4],
      packages[3],
      packages[1],
      packages[0],
    ]);
  });
});

describe('the inventory of a factset', () => {
  const packages = [
    ['twig', '2', 'apt'],
    ['bark', '1', 'gem'],
    ['twig', '2', 'apt'],
  ];
  const text = (change: object): string => JSON.stringify({ ...good, ...change });
  const inventory = (list: unknown): string => `,"package_inventory":${JSON.stringify(list)}`;
  const canonical = (environment: string, list: unknown): string =>
    createHash('sha1')
      .update(
        `{"certname":"${certname}","environment":"${environment}"${list === undefined ? '' : inventory(list)},"values":{"leaf":"green"}}`,
      )
      .digest('hex');
  const sorted = [packages[1], packages[0]];

  it('has the same hash, digest and packages each time', () => {
    for (const environment of ['first', 'first', 'second', 'first']) {
      const again = readText(text({ environment, package_inventory: packages }));
      expect(again.packageCount).toBe(2);
      expect(again.hash).toBe(canonical(environment, sorted));
      expect(again.packageDigest).toEqual(createHash('sha1').update(JSON.stringify(sorted)).digest());
      expect(again.packages).toEqual(sorted);
    }
  });

  it('changes the hash of the factset', () => {
    expect(read({ package_inventory: packages }).hash).toBe(canonical('grove', sorted));
    expect(read({ package_inventory: [['bark', '1', 'gem']] }).hash).toBe(canonical('grove', [['bark', '1', 'gem']]));
    expect(read({ package_inventory: [] }).hash).toBe(canonical('grove', undefined));
    expect(read({ package_inventory: [] }).packageDigest).toBeUndefined();
    expect(read({}).hash).toBe(canonical('grove', undefined));
    expect(problems({ package_inventory: [...packages, ['bark', 1, 'gem']] })).not.toEqual([]);
    expect(read({ package_inventory: packages }).hash).toBe(canonical('grove', sorted));
  });
});

it.each([4, 5])('replace facts %d may carry a timestamp, which does not count', (version) => {
  for (const timestamp of ['2031-02-03T04:05:06Z', null, 7, {}]) {
    expect(problems({ timestamp }, version)).toEqual([]);
    expect(read({ timestamp }, version).hash).toBe(read({}, version).hash);
    expect(read({ timestamp }, version).producerTimestamp).toBe(read({}, version).producerTimestamp);
  }
});

describe('a fact', () => {
  it('is its text where nothing has to be spelled otherwise', () => {
    const [fact] = withValues('{"a": {"z": [1, 123456789012345678901234567890, "ü"],"b":null} }').facts;
    expect(fact!.value()).toBe('{"z": [1, 123456789012345678901234567890, "ü"],"b":null}');
    expect(fact!.spelled()).toBeUndefined();
  });

  it('is spelled for jsonb and for answers', () => {
    const [fact] = withValues('{"a":{"z":[1e21,12345678.5,1.5e-9,-0],"b":"x\\u0000y\\ud800"}}').facts;
    expect(fact!.value()).toBe('{"b":"x\ufffdy?","z":[1.0E21,1.23456785E7,1.5E-9,0]}');
    expect(fact!.spelled()).toBe('{"b":"x\ufffdy?","z":[1000000000000000000000,1.23456785E7,1.5E-9,0]}');
  });

  it('is spelled as jsonb prints it for everyday doubles', () => {
    const [fact] = withValues('{"a":[1.0,2.50,1e21,-0.0]}').facts;
    expect(fact!.value()).toBe('[1.0,2.5,1.0E21,-0.0]');
    expect(fact!.spelled()).toBeUndefined();
  });

  it('has leaves with typed paths, in document order', () => {
    const [fact] = withValues(
      '{"a":{"z":["x",{"0":7}],"e":{},"n":[],"b":{"t":true,"f":1.0,"s":2.5e-9,"nil":null,"h":"\\u0000"}}}',
    ).facts;
    expect([...fact!.leaves()]).toEqual([
      { path: ['a', 'z', 0], type: 'string', value: '"x"', spelled: undefined },
      { path: ['a', 'z', 1, '0'], type: 'integer', value: '7', spelled: undefined },
      { path: ['a', 'b', 't'], type: 'boolean', value: 'true', spelled: undefined },
      { path: ['a', 'b', 'f'], type: 'float', value: '1.0', spelled: undefined },
      { path: ['a', 'b', 's'], type: 'float', value: '2.5E-9', spelled: '2.5E-9' },
      { path: ['a', 'b', 'nil'], type: 'null', value: 'null', spelled: undefined },
      { path: ['a', 'b', 'h'], type: 'string', value: '"\ufffd"', spelled: undefined },
    ]);
  });

  it('has itself for a leaf if it is a scalar', () => {
    const [fact] = withValues('{"a\\"b": -0 }').facts;
    expect([...fact!.leaves()]).toEqual([{ path: ['a"b'], type: 'integer', value: '0', spelled: undefined }]);
  });

  it('has the leaves of the last of equal keys only', () => {
    const [fact] = withValues('{"a":{"x":{"p":1,"q":[2,3]},"y":4,"x":5,"y":{"r":6},"z":7}}').facts;
    expect([...fact!.leaves()].map((leaf) => [leaf.path.join('.'), leaf.value])).toEqual([
      ['a.x', '5'],
      ['a.y.r', '6'],
      ['a.z', '7'],
    ]);
  });

  it('may nest 998 levels deep', () => {
    const [fact] = withValues(`{"a":${'[{"b":'.repeat(499)}1.50${'}]'.repeat(499)}}`).facts;
    expect([...fact!.leaves()]).toMatchObject([{ type: 'float', value: '1.5' }]);
    expect([...fact!.leaves()][0]!.path).toHaveLength(999);
    expect(fact!.value()).toBe(`${'[{"b":'.repeat(499)}1.5${'}]'.repeat(499)}`);
    expect(fact!.spelled()).toBeUndefined();
  });

  it('has a digest of name and text', () => {
    const digests = (values: string): string[] => withValues(values).facts.map((fact) => fact.digest);
    const [a, b, c, d] = digests('{"a":1,"b":1,"c":2,"d":1.0}');
    expect(new Set([a, b, c, d]).size).toBe(4);
    expect(a).toHaveLength(8);
    expect(digests('{"x":0,"a" : 1}')[1]).toBe(a);
  });
});

describe('replace facts 4', () => {
  it('knows no producer', () => {
    expect(read({}, 4).producer).toBeNull();
    expect(problems({ producer: undefined }, 4)).toEqual([]);
    expect(read({ producer: undefined, package_inventory: [['a', '1', 'apt']] }, 4).packages).toEqual([
      ['a', '1', 'apt'],
    ]);
  });

  it('is as strict with the rest', () => {
    expect(problems({ environment: undefined, colour: 1 }, 4)).toHaveLength(2);
  });
});
