/** Hostile archives, each with the answer that it must get. */
import { gzipSync } from 'node:zlib';
import { archiveOf, currentVersions, inBlocks, largeSize, metadata, tarBlock, tarOf } from './archives';
import { facts } from './import-bench';

const good = [metadata(), facts('good')];

const raw = async (...blocks: Buffer[]): Promise<Buffer> =>
  gzipSync(Buffer.concat([(await tarOf([metadata()])).subarray(0, 1024), ...blocks, Buffer.alloc(1024)]));
const pax = (records: string): Buffer[] => [
  tarBlock({ name: 'pax', type: 'x', size: Buffer.byteLength(records) }),
  inBlocks(Buffer.from(records)),
];
const longName = (length: number): Buffer[] => [
  tarBlock({ name: '././@LongLink', type: 'L', size: length }),
  inBlocks(Buffer.alloc(length, 'x')),
  tarBlock({ name: 'x' }),
];
const none = Buffer.alloc(0);
const empty = gzipSync(none);
/** A separate gzip member, which can be repeated, so that the sender of a huge archive needs little work. */
const zeros = gzipSync(Buffer.alloc(10_737_418));
const thousand = (blocks: Buffer[]): Buffer =>
  gzipSync(Buffer.concat(Array.from({ length: 1_000 }, () => blocks).flat()));
/** Returns the metadata, `begin`, and a repeated gzip member. */
const largeBody = async (begin: Buffer, member: Buffer, times: number): Promise<Buffer> =>
  Buffer.concat([
    gzipSync(Buffer.concat([(await tarOf([metadata()])).subarray(0, 1024), begin])),
    ...Array.from({ length: times }, () => member),
  ]);
const paxRecord = (text: string): string => {
  const rest = Buffer.byteLength(text) + 2;
  const length = rest + String(rest).length;
  return `${length + String(length).length - String(rest).length} ${text}\n`;
};
export const hostileArchives: [string, () => Promise<Buffer>, number, string, RegExp][] = [
  ['0 bytes', async () => Buffer.alloc(0), 400, 'import.broken', /0 bytes/],
  ['no gzip', async () => tarOf(good), 400, 'import.broken', /not compressed with gzip/],
  ['no tar', async () => gzipSync('x'.repeat(5_000)), 400, 'import.broken', /no tar file/],
  ['no entries', async () => gzipSync(Buffer.alloc(1024)), 400, 'import.broken', /no entries/],
  [
    'garbage behind the gzip data',
    async () => Buffer.concat([await archiveOf(good), Buffer.from('garbage')]),
    400,
    'import.broken',
    /its gzip data are wrong/,
  ],
  [
    'only a folder',
    () => archiveOf([{ name: 'puppetdb-bak/', type: 'directory' }]),
    400,
    'import.metadata',
    /has no export-metadata.json/,
  ],
  [
    'a document first',
    () => archiveOf([facts('first'), metadata()]),
    400,
    'import.metadata',
    /begins with "puppetdb-bak\/facts\/first.json" instead/,
  ],
  [
    'another root',
    () => archiveOf([{ ...metadata(), name: 'other-bak/export-metadata.json' }]),
    400,
    'import.metadata',
    /begins with "other-bak/,
  ],
  [
    'metadata without versions',
    () => archiveOf([{ ...metadata(), content: {} }]),
    400,
    'import.metadata',
    /no map "command_versions"/,
  ],
  [
    'metadata that are no JSON',
    () => archiveOf([{ ...metadata(), content: '{' }]),
    400,
    'import.metadata',
    /no map "command_versions"/,
  ],
  ['two metadata files', () => archiveOf([metadata(), metadata()]), 400, 'import.entry', /second metadata/],
  [
    'a version that is too new',
    () => archiveOf([metadata({ ...currentVersions, replace_facts: 6 }), facts('new')]),
    400,
    'import.version',
    /replace facts 6 \(4 to 5 can be read\)/,
  ],
  [
    'a version that is too old',
    () => archiveOf([metadata({ store_report: 4 })]),
    400,
    'import.version',
    /store report 4/,
  ],
  [
    'no version for a document',
    () => archiveOf([metadata({ store_report: 8 }), facts('x')]),
    400,
    'import.version',
    /do not say in which version .* replace facts/,
  ],
  ['an empty document', () => archiveOf([metadata(), { ...facts('x'), content: '' }]), 400, 'import.entry', /is empty/],
  [
    'no JSON',
    () => archiveOf([metadata(), { ...facts('x'), content: '{"certname":"x"' }]),
    400,
    'import.entry',
    /facts\/x.json" .*cannot be read/,
  ],
  [
    'text behind the JSON',
    () => archiveOf([metadata(), { ...facts('x'), content: '{"certname":"x"} {}' }]),
    400,
    'import.entry',
    /cannot be read/,
  ],
  ['no map', () => archiveOf([metadata(), { ...facts('x'), content: [1] }]), 400, 'import.entry', /not a JSON map/],
  [
    'no UTF-8',
    () => archiveOf([metadata(), { ...facts('x'), content: Buffer.from([0x7b, 0xff]) }]),
    400,
    'import.entry',
    /not UTF-8/,
  ],
  [
    'no certname',
    () => archiveOf([metadata(), { ...facts('x'), content: { certname: 1 } }]),
    400,
    'import.entry',
    /no certname/,
  ],
  [
    'a certname with U+0000',
    () => archiveOf([metadata(), { ...facts('x'), content: { certname: 'a\0' } }]),
    400,
    'import.entry',
    /U\+0000/,
  ],
  [
    'deep JSON',
    () => archiveOf([metadata(), { ...facts('x'), content: '{"certname":"x","a":' + '['.repeat(500_000) }]),
    400,
    'import.entry',
    /cannot be read/,
  ],
  [
    'a path that leaves the archive',
    () => archiveOf([metadata(), { ...facts('x'), name: '../../etc/passwd' }]),
    400,
    'import.entry',
    /leaves its folder/,
  ],
  [
    'a path with backslashes that leaves the archive',
    () => archiveOf([metadata(), { ...facts('x'), name: 'puppetdb-bak\\..\\..\\x.json' }]),
    400,
    'import.entry',
    /leaves its folder/,
  ],
  [
    'such a path of a document',
    () => archiveOf([metadata(), { ...facts('x'), name: 'puppetdb-bak/facts/../../../x.json' }]),
    400,
    'import.entry',
    /leaves its folder/,
  ],
  [
    'an absolute path',
    () => archiveOf([metadata(), { ...facts('x'), name: '/etc/passwd' }]),
    400,
    'import.entry',
    /absolute path/,
  ],
  [
    'a symbolic link',
    () => archiveOf([metadata(), { name: 'puppetdb-bak/facts/x.json', type: 'symlink', linkname: '/etc/passwd' }]),
    400,
    'import.entry',
    /is a symbolic link/,
  ],
  [
    'a hard link',
    () => archiveOf([metadata(), { name: 'puppetdb-bak/facts/x.json', type: 'link', linkname: '/etc/passwd' }]),
    400,
    'import.entry',
    /is a link/,
  ],
  [
    'a device',
    () => archiveOf([metadata(), { name: 'puppetdb-bak/facts/x.json', type: 'block-device' }]),
    400,
    'import.entry',
    /is a device/,
  ],
  [
    'a sparse file',
    () => raw(tarBlock({ name: 'puppetdb-bak/facts/x.json', type: 'S', size: 512 })),
    400,
    'import.entry',
    /of a kind that archives do not have/,
  ],
  [
    'a document over the limit',
    () => archiveOf([metadata(), { ...facts('x'), content: 'x'.repeat(2_000_001) }]),
    413,
    'http.limit',
    /NODELEDGER_MAX_COMMAND_SIZE/,
  ],
  [
    'a size of 8 EB',
    () => raw(tarBlock({ name: 'puppetdb-bak/facts/x.json', rawSize: largeSize(1n << 62n) })),
    413,
    'http.limit',
    /NODELEDGER_MAX_COMMAND_SIZE/,
  ],
  [
    'a negative size',
    () => raw(tarBlock({ name: 'puppetdb-bak/facts/x.json', rawSize: Buffer.from('fffffffffffffffffffffff0', 'hex') })),
    400,
    'import.broken',
    /damaged/,
  ],
  [
    'a size of its own in pax',
    () => raw(...pax('28 size=9007199254740991000\n'), tarBlock({ name: 'puppetdb-bak/facts/x.json' })),
    413,
    'http.limit',
    /NODELEDGER_MAX_COMMAND_SIZE/,
  ],
  [
    'pax headers of 3 MB',
    () => raw(...pax(`3000013 path=${'x'.repeat(3_000_000)}\n`), tarBlock({ name: 'x' })),
    413,
    'http.limit',
    /bytes between two entries/,
  ],
  [
    'pax headers of 10 MB',
    () => raw(...pax(`10000014 path=${'x'.repeat(10_000_000)}\n`), tarBlock({ name: 'x' })),
    400,
    'import.broken',
    /exceeds max size/,
  ],
  [
    '10,000 attributes',
    () =>
      raw(
        ...pax(Array.from({ length: 10_000 }, (_, n) => `12 ${String(n).padStart(6, '0')}=x\n`).join('')),
        tarBlock({ name: 'x' }),
      ),
    400,
    'import.entry',
    /attributes/,
  ],
  ['a name of 10 kB', () => raw(...longName(10_000)), 413, 'http.limit', /characters of the name/],
  [
    'more entries than there may be',
    () =>
      archiveOf([
        metadata(),
        ...Array.from({ length: 60 }, (_, n) => ({ name: `folder${n}/`, type: 'directory' as const })),
      ]),
    413,
    'http.limit',
    /without a document/,
  ],
  ['endless zeros', () => raw(Buffer.alloc(3_000_000)), 413, 'http.limit', /bytes between two entries/],
  ['a bomb', async () => gzipSync(Buffer.alloc(50_000_000)), 413, 'http.limit', /of an archive|between two entries/],
  [
    'a bomb of documents',
    async () =>
      gzipSync(
        Buffer.concat([
          await tarOf([metadata()]).then((tar) => tar.subarray(0, 1024)),
          ...Array.from({ length: 20 }, () =>
            Buffer.concat([tarBlock({ name: 'other', size: 1_999_872 }), Buffer.alloc(1_999_872)]),
          ),
        ]),
      ),
    413,
    'http.limit',
    /for each compressed byte/,
  ],
  [
    'a size of 2^60',
    () => raw(tarBlock({ name: 'puppetdb-bak/facts/x.json', rawSize: largeSize(1n << 60n) })),
    413,
    'http.limit',
    /NODELEDGER_MAX_COMMAND_SIZE/,
  ],
  [
    '1 GB of zeros in one entry',
    () => largeBody(tarBlock({ name: 'puppetdb-bak/facts/x.json', size: 2 ** 30 }), zeros, 100),
    413,
    'http.limit',
    /NODELEDGER_MAX_COMMAND_SIZE/,
  ],
  [
    '1 GB of zeros between entries',
    () => largeBody(none, zeros, 100),
    413,
    'http.limit',
    /of an archive|between two entries/,
  ],
  [
    'metadata of 100 MB',
    async () =>
      Buffer.concat([
        gzipSync(tarBlock({ name: 'puppetdb-bak/export-metadata.json', size: 100_000_000 })),
        ...Array.from({ length: 10 }, () => zeros),
      ]),
    413,
    'http.limit',
    /NODELEDGER_MAX_COMMAND_SIZE/,
  ],
  [
    'a second metadata file behind documents',
    () => archiveOf([metadata(), facts('before-second'), metadata()]),
    400,
    'import.entry',
    /second metadata/,
  ],
  [
    'a sparse file as pax describes it',
    () =>
      raw(
        ...pax(
          ['GNU.sparse.major=1', 'GNU.sparse.minor=0', 'GNU.sparse.realsize=1099511627776'].map(paxRecord).join(''),
        ),
        tarBlock({ name: 'puppetdb-bak/facts/x.json', size: 4 }),
        inBlocks(Buffer.from('0\n0\n')),
      ),
    400,
    'import.entry',
    /is a sparse file/,
  ],
  [
    'a name of 10 kB in pax',
    () => raw(...pax(paxRecord(`path=${'x'.repeat(10_000)}`)), tarBlock({ name: 'x' })),
    413,
    'http.limit',
    /characters of the name/,
  ],
  [
    '1,000,000 folders',
    () => largeBody(none, thousand([tarBlock({ name: 'x/', type: '5' })]), 1_000),
    413,
    'http.limit',
    /without a document/,
  ],
  [
    '1,000,000 documents',
    () => {
      const text = Buffer.from('{"certname":"million"}');
      const document = [tarBlock({ name: 'puppetdb-bak/facts/million.json', size: text.length }), inBlocks(text)];
      return largeBody(none, thousand(document), 1_000);
    },
    413,
    'http.limit',
    /entries of an archive/,
  ],
  [
    '100,000 gzip members with nothing in them',
    async () => Buffer.concat(Array.from({ length: 100_000 }, () => empty)),
    400,
    'import.broken',
    /no entries/,
  ],
  [
    'a gzip header of 100 kB',
    async () => Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 255]), Buffer.alloc(100_000, 'x')]),
    400,
    'import.broken',
    /cut off/,
  ],
];
