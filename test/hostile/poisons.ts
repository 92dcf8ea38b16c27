/** Harmful commands, each with a certname of its own and its expected outcome. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { catalog, edge, event, factset, report, resource } from '../support/documents';
import type { Fate } from './messages';

export interface Poison {
  readonly fate: Fate;
  readonly command: string;
  readonly version: number;
  readonly body: (certname: string) => string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the URL. */
  readonly parameters?: Readonly<Record<string, string>>;
}

const facts = (fate: Fate, body: Poison['body'], further: Partial<Poison> = {}): Poison => ({
  fate,
  command: 'replace facts',
  version: 5,
  body,
  ...further,
});
const catalogs = (fate: Fate, body: Poison['body']): Poison => ({ fate, command: 'replace catalog', version: 9, body });
const reports = (fate: Fate, body: Poison['body']): Poison => ({ fate, command: 'store report', version: 8, body });

const mark = '@@value@@';
/** Facts with one value, given as JSON text. */
const factOf =
  (value: string) =>
  (certname: string): string =>
    JSON.stringify(factset(certname, { a: mark })).replace(`"${mark}"`, () => value);
const gzip = { 'content-encoding': 'gzip' };
const small = JSON.stringify;
const titles = (count: number): string[] => Array.from({ length: count }, (_, index) => `/r${index}`);
const list = (count: number, make: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, index) => make(index)).join(',')}]`;

/** Large payloads are created once, before anything is sent, and used for all certnames. */
const kept = (make: () => string): (() => string) => {
  const made = make();
  return () => made;
};
const deepAndWide = kept(() => `${'['.repeat(900)}${list(300_000, () => '1')}${']'.repeat(900)}`);
const million = kept(() => list(1_000_000, String));
const hugeText = kept(() => `"${'x'.repeat(15_000_000)}"`);
const manyKeys = kept(() => `{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`);
const chain = (certname: string, count: number): string =>
  small(
    catalog(
      certname,
      titles(400).map((title) => resource(title)),
      Array.from({ length: count }, (_, index) => edge(`/r${index % 400}`, `/r${Math.floor(index / 400) % 400}`)),
    ),
  );
const manyEdges = kept(() => chain(mark, 40_000));
const manyResources = kept(() =>
  small(
    catalog(
      mark,
      titles(26_000).map((title) => ({ type: 'T', title, exported: false, tags: [], parameters: {} })),
      [],
    ),
  ),
);
const manyEvents = kept(() =>
  small(
    report(
      mark,
      Array.from({ length: 20_000 }, (_, index) => event(`p${index}`)),
    ),
  ),
);
/** A million zeros take a kilobyte as gzip. */
const bomb = kept(() =>
  gzipSync(Buffer.concat([Buffer.from('{"certname":"'), Buffer.alloc(60_000_000, 0x78)])).toString('latin1'),
);

function lying(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt32LE(1, changed.length - 4);
  return changed;
}
const bombBytes = (): Buffer => Buffer.from(bomb(), 'latin1');

export const poisons: Readonly<Record<string, Poison>> = {
  '300,000 numbers in 900 lists, compressed': facts('letter', (certname) => gzipSync(factOf(deepAndWide())(certname)), {
    headers: gzip,
  }),
  'a million numbers': facts('letter', (certname) => factOf(million())(certname)),
  'a fact 10,000 lists deep': facts('letter', factOf('['.repeat(10_000) + ']'.repeat(10_000))),
  '200,000 keys': facts('letter', (certname) => factOf(manyKeys())(certname)),
  'a number that nothing holds': facts('letter', factOf('1e200000')),
  'a number without end': facts('letter', factOf(`1${'0'.repeat(200_000)}`)),
  'a text of 15 MB': facts('heavy', (certname) => factOf(hugeText())(certname)),
  'NUL in a value': facts('heavy', factOf('"a\\u0000b"')),
  'half a surrogate pair in a value': facts('heavy', factOf('"a\\ud800b"')),
  'no JSON': facts('letter', () => '{"certname": '),
  'no UTF-8': facts('letter', () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
  "another node's facts": facts('letter', () => small(factset('somebody.else.test', { a: 1 }))),
  'gzip that is none': facts('letter', (certname) => small(factset(certname, { a: 1 })), { headers: gzip }),
  // Its last bytes are in the place where a complete stream has its size.
  'half a gzip stream': facts('heavy', (certname) => gzipSync(small(factset(certname, { a: 1 }))).subarray(0, 40), {
    headers: gzip,
  }),
  'a bomb that says its size': facts('refused', bombBytes, { headers: gzip }),
  'a bomb that says one byte': facts('letter', () => lying(bombBytes()), { headers: gzip }),
  'a bomb in two members': facts('letter', () => Buffer.concat([bombBytes(), gzipSync(' ')]), { headers: gzip }),
  'a bomb with a small declared size': facts('letter', bombBytes, {
    headers: { ...gzip, 'x-uncompressed-length': '100' },
  }),
  'a wrong checksum': facts('refused', (certname) => small(factset(certname, { a: 1 })), {
    parameters: { checksum: createHash('sha1').update('something else').digest('hex') },
  }),
  'a declared size of a terabyte': facts('refused', (certname) => small(factset(certname, { a: 1 })), {
    headers: { 'x-uncompressed-length': '1000000000000' },
  }),
  'a command that there is not': facts('refused', () => '{}', { command: 'plant tree' }),
  'a version that is retired': facts('refused', () => '{}', { version: 1 }),
  'a version that nobody knows yet': facts('letter', () => '{}', { version: 99 }),
  '40,000 edges': catalogs('heavy', (certname) => manyEdges().replace(mark, certname)),
  '26,000 resources': catalogs('letter', (certname) => manyResources().replace(mark, certname)),
  'a resource twice': catalogs('letter', (certname) => small(catalog(certname, [resource('/a'), resource('/a')], []))),
  'an edge to nowhere': catalogs('letter', (certname) =>
    small(catalog(certname, [resource('/a')], [edge('/a', '/nowhere')])),
  ),
  '20,000 events': reports('heavy', (certname) => manyEvents().replace(mark, certname)),
  'a report of no shape': reports('letter', (certname) => small({ certname, logs: 'x'.repeat(10_000) })),
};
