/** The import over HTTP, with a log, read tables and a projector: what it stores, what it refuses, what a repeat does. */
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Module, type DynamicModule } from '@nestjs/common';
import { CommandsModule, Completions, IntakeLimits } from '#commands';
import { openHttp, type HttpServer } from '#http';
import { defaultLimits } from '#limits';
import {
  archiveOf,
  currentVersions,
  inBlocks,
  largeSize,
  type MadeEntry,
  metadata,
  multipart,
  type Multipart,
  tarBlock,
  tarOf,
} from '../../../test/support/archives';
import { catalog, edge, event, factset, report, resource } from '../../../test/support/documents';
import { giveAgeLimits } from '../../../test/support/age-limits';
import { ProjectionBench } from '../../../test/support/projection';
import { ImportModule } from './import.module';

const limits = { ...defaultLimits, commandBytes: 2_000_000, archiveOthers: 50, archiveEntries: 5_000 };

let bench: ProjectionBench;
let server: HttpServer;
let url: string;

@Module({})
class Both {
  static over(modules: DynamicModule[]): DynamicModule {
    return { module: Both, imports: modules };
  }
}

beforeAll(async () => {
  bench = await ProjectionBench.open();
  const { db: database, log } = bench;
  const completions = new Completions(database);
  server = await openHttp(
    Both.over([
      CommandsModule.register({
        log,
        completions,
        limits: new IntakeLimits(limits.commandBytes, true),
        checksums: { policy: 'warn' },
      }),
      ImportModule.register({ database, limits }),
    ]),
    {
      listeners: [{ host: '127.0.0.1', port: 0 }],
      maxBodyBytes: 100_000,
      streamedBodies: ['/pdb/admin/v1/archive'],
      arrival: { wholeMs: 300, headersMs: 300, checkMs: 50 },
    },
  );
  url = `${server.urls[0]}/pdb/admin/v1/archive`;
});
afterAll(async () => {
  await server.close();
  await bench.close();
});

interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly imported: string | null;
  readonly text: string;
}

async function send({ body, contentType }: Multipart, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': contentType, ...headers } });
  const text = await answer.text();
  return {
    status: answer.status,
    code: answer.headers.get('x-nodeledger-error'),
    imported: answer.headers.get('x-nodeledger-imported'),
    text: text.startsWith('{"error"') ? (JSON.parse(text) as { error: string }).error : text,
  };
}
const sendArchive = (archive: Buffer): Promise<Answer> => send(multipart(archive));
const sendEntries = async (entries: readonly MadeEntry[]): Promise<Answer> => sendArchive(await archiveOf(entries));

async function appended(): Promise<number> {
  return [...(await bench.log.ends()).values()].reduce((sum, end) => sum + end, 0);
}

const facts = (certname: string, values: object = { a: 1 }): MadeEntry => ({
  name: `puppetdb-bak/facts/${certname}.json`,
  content: factset(certname, values),
});
const hash = '0123456789abcdef0123456789abcdef01234567';
const node = (certname: string): MadeEntry[] => [
  {
    name: `puppetdb-bak/configure_expiration/${certname}-${hash}.json`,
    content: { certname, producer_timestamp: '2025-12-01T00:00:00.000Z', expire: { facts: false } },
  },
  facts(certname),
  {
    name: `puppetdb-bak/catalogs/${certname}-${hash}.json`,
    content: catalog(certname, [resource('/a'), resource('/b')], [edge('/a', '/b')]),
  },
  {
    name: `puppetdb-bak/catalog_inputs/${certname}-${hash}.json`,
    content: {
      certname,
      producer_timestamp: '2026-01-01T00:00:00.000Z',
      catalog_uuid: '00000000-0000-4000-8000-000000000002',
      inputs: [['hiera', 'x']],
    },
  },
  { name: `puppetdb-bak/reports/${certname}-${hash}.json`, content: report(certname, [event('mode')]) },
];

describe('an archive', () => {
  it.each(['form-data', 'mixed'])('in multipart/%s is stored as commands', async (type) => {
    const before = await appended();
    const answer = await send(multipart(await archiveOf([metadata(), ...node(`stored-${type}`)]), { type }));
    expect(answer).toMatchObject({ status: 200, text: '{"ok":true}' });
    expect(answer.imported).toBe('documents=5, known=0, passed-over=0');
    expect(await appended()).toBe(before + 5);
    await bench.settle();
    expect(bench.deadLetters).toEqual([]);
    const [row] = await bench.rows<object>(
      `SELECT expires_facts, catalog_producer_timestamp IS NOT NULL AS catalog, inputs_producer_timestamp IS NOT NULL AS inputs,
         facts_producer_timestamp IS NOT NULL AS facts, latest_report_status
       FROM {schema}.nodes WHERE certname = $1`,
      [`stored-${type}`],
    );
    expect(row).toEqual({
      expires_facts: false,
      catalog: true,
      inputs: true,
      facts: true,
      latest_report_status: 'changed',
    });
  });

  it('that is sent again appends nothing, and what differs in it is stored', async () => {
    const entries = [...node('again1'), ...node('again2')];
    await sendEntries([metadata(), ...entries]);
    await bench.settle();
    const tables = await bench.dump();
    const before = await appended();
    expect((await sendEntries([metadata(), ...entries])).imported).toBe('documents=10, known=10, passed-over=0');
    expect(await appended()).toBe(before);
    // Equal times, other values: as with any command of an equal time, the later one counts.
    const changed = entries.map((entry) =>
      entry.name === 'puppetdb-bak/facts/again1.json' ? facts('again1', { a: 2 }) : entry,
    );
    expect((await sendEntries([metadata(), ...changed])).imported).toBe('documents=10, known=9, passed-over=0');
    await bench.settle();
    expect(await bench.dump()).not.toEqual(tables);
  });

  it('whose nodes were deleted since brings them back', async () => {
    await sendEntries([metadata(), ...node('deleted')]);
    await bench.settle();
    const count = async (): Promise<unknown> =>
      bench.rows(`SELECT certname FROM {schema}.nodes WHERE certname = 'deleted'`);
    await bench.submit('delete node', 'deleted', { version: 1, payload: { certname: 'deleted' } });
    await bench.settle();
    expect(await count()).toEqual([]);
    expect((await sendEntries([metadata(), ...node('deleted')])).imported).toContain('known=0');
    await bench.settle();
    expect(await count()).toEqual([{ certname: 'deleted' }]);
  });

  it.each([
    ['nodeledger-bak', 'export-metadata.json'],
    ['puppetdb-bak', 'metadata.json'],
  ])('of %s with %s is read', async (root, name) => {
    const entries = [
      { ...metadata(), name: `${root}/${name}` },
      { ...facts('prefix'), name: `${root}/facts/prefix.json` },
    ];
    expect((await sendEntries(entries)).imported).toContain('documents=1');
  });

  it('brings back reports that an age limit has taken, also while their rows are still there', async () => {
    const entries = [
      metadata(),
      { name: `puppetdb-bak/reports/old-${hash}.json`, content: report('old', [event('mode')]) },
    ];
    const count = async (): Promise<unknown> =>
      (
        await bench.rows<{ count: number }>(
          `SELECT count(*) FROM {schema}.reports r JOIN {schema}.nodes n USING (node) WHERE n.certname = 'old'`,
        )
      )[0]?.count;
    await sendEntries(entries);
    await bench.settle();
    await giveAgeLimits(bench, 4, { reportsBefore: '2026-02-01T00:00:00.000Z' });
    await bench.settle(undefined, { removes: false });
    expect(await count()).toBe(1);
    expect((await sendEntries(entries)).imported).toBe('documents=1, known=0, passed-over=0');
    await bench.settle();
    expect(await count()).toBe(1);
    expect((await sendEntries(entries)).imported).toBe('documents=1, known=1, passed-over=0');
  });

  it('does not take away a node that has come back since; one that has not goes', async () => {
    const state = (certname: string): MadeEntry => ({
      name: `nodeledger-bak/node_states/${certname}.json`,
      content: {
        ...{ certname, deactivated: null, expire_facts: true, expire_facts_updated: null },
        ...{ expired: '2026-01-12T00:00:00.000Z', expired_cutoff: '2026-01-05T00:00:00.000Z' },
      },
    });
    const payload = (certname: string, day: number): object =>
      factset(certname, { day }, { producer_timestamp: new Date(Date.UTC(2026, 0, day)).toISOString() });
    await bench.submit('replace facts', 'came-back', { payload: payload('came-back', 20) });
    await bench.submit('replace facts', 'stayed-away', { payload: payload('stayed-away', 2) });
    await bench.settle();
    const states = ['came-back', 'stayed-away', 'never-seen'].map(state);
    const answer = await sendEntries([metadata({ ...currentVersions, restore_node: 1 }), ...states]);
    expect(answer).toMatchObject({ status: 200, imported: 'documents=3, known=1, passed-over=0' });
    await bench.settle();
    const rows = await bench.rows<{ certname: string }>(
      `SELECT certname FROM {schema}.nodes WHERE expired IS NOT NULL ORDER BY certname`,
    );
    expect(rows.map(({ certname }) => certname)).toEqual(['never-seen', 'stayed-away']);
  });

  it('that was packed again, with folders and further files, is read', async () => {
    const folder = (name: string): MadeEntry => ({ name, type: 'directory' });
    const answer = await sendEntries([
      folder('./puppetdb-bak/'),
      { ...metadata(), name: './puppetdb-bak/export-metadata.json' },
      folder('./puppetdb-bak/facts/'),
      { ...facts('repacked'), name: './puppetdb-bak/facts/repacked.json' },
      { name: 'README', content: 'text' },
    ]);
    expect(answer).toMatchObject({ status: 200, imported: 'documents=1, known=0, passed-over=3' });
  });

  it('says of a document whose it is, whatever its file is called', async () => {
    expect(
      (await sendEntries([metadata(), { ...facts('named-inside'), name: 'puppetdb-bak/facts/other.json' }])).status,
    ).toBe(200);
    await bench.settle();
    expect(await bench.rows(`SELECT certname FROM {schema}.nodes WHERE certname IN ('other', 'named-inside')`)).toEqual(
      [{ certname: 'named-inside' }],
    );
  });

  it('in several gzip members is one archive', async () => {
    const tar = await tarOf([metadata(), facts('members')]);
    const archive = Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]);
    expect(await sendArchive(archive)).toMatchObject({ status: 200, imported: expect.stringContaining('documents=1') });
  });

  it('with a document that no version allows is stored; the document becomes a dead letter', async () => {
    const wrong = { name: 'puppetdb-bak/facts/letter.json', content: { certname: 'letter', values: 1 } };
    expect((await sendEntries([metadata(), wrong, facts('after-letter')])).status).toBe(200);
    await bench.settle();
    expect(bench.deadLetters.splice(0)).toMatchObject([{ record: { certname: 'letter' } }]);
  });
});

const good = [metadata(), facts('good')];

describe('what is refused, and how', () => {
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
  const cases: [string, () => Promise<Buffer>, number, string, RegExp][] = [
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
    [
      'an empty document',
      () => archiveOf([metadata(), { ...facts('x'), content: '' }]),
      400,
      'import.entry',
      /is empty/,
    ],
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
      () =>
        raw(tarBlock({ name: 'puppetdb-bak/facts/x.json', rawSize: Buffer.from('fffffffffffffffffffffff0', 'hex') })),
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
      /NODELEDGER_MAX_ARCHIVE_HEADER/,
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
    ['a name of 10 kB', () => raw(...longName(10_000)), 413, 'http.limit', /NODELEDGER_MAX_ARCHIVE_NAME/],
    [
      'more entries than there may be',
      () =>
        archiveOf([
          metadata(),
          ...Array.from({ length: 60 }, (_, n) => ({ name: `folder${n}/`, type: 'directory' as const })),
        ]),
      413,
      'http.limit',
      /NODELEDGER_MAX_ARCHIVE_OTHER_ENTRIES/,
    ],
    ['endless zeros', () => raw(Buffer.alloc(3_000_000)), 413, 'http.limit', /NODELEDGER_MAX_ARCHIVE_HEADER/],
    ['a bomb', async () => gzipSync(Buffer.alloc(50_000_000)), 413, 'http.limit', /NODELEDGER_MAX_ARCHIVE/],
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
      /NODELEDGER_MAX_ARCHIVE_RATIO/,
    ],
  ];

  it.each(cases)('%s', async (_what, archive, status, code, text) => {
    const answer = await sendArchive(await archive());
    expect(answer).toMatchObject({ status, code });
    expect(answer.text).toMatch(text);
  });

  it('an archive that is cut off, wherever', async () => {
    const archive = await archiveOf([metadata(), ...node('cut')]);
    for (const at of [1, 5, 10, 18, archive.length >> 1, archive.length - 9, archive.length - 8, archive.length - 1]) {
      const answer = await sendArchive(archive.subarray(0, at));
      expect([at, answer.status, answer.code]).toEqual([at, 400, 'import.broken']);
      expect(answer.text).toContain('cut off');
    }
    const tar = await tarOf([metadata(), ...node('cut')]);
    for (const at of [100, 600, 1_100, 1_700]) {
      const answer = await sendArchive(gzipSync(tar.subarray(0, at)));
      expect([at, answer.status, answer.code]).toEqual([at, 400, 'import.broken']);
    }
  });

  it.each<[string, Partial<Multipart>, number, RegExp]>([
    ['JSON', { contentType: 'application/json' }, 415, /multipart\/form-data or multipart\/mixed is needed/],
    ['no boundary', { contentType: 'multipart/form-data' }, 400, /names no boundary/],
    [
      'a boundary of 10 kB',
      { contentType: `multipart/form-data; boundary=${'x'.repeat(10_000)}` },
      400,
      /10000 characters/,
    ],
    ['another boundary', { contentType: 'multipart/form-data; boundary=other' }, 400, /cut off/],
    ['an empty body', { body: Buffer.alloc(0) }, 400, /cut off/],
    ['no parts', { body: Buffer.from('------nodeledger--\r\n') }, 400, /no part named/],
  ])('a request with %s', async (_what, form, status, text) => {
    const answer = await send({ ...multipart(await archiveOf(good)), ...form });
    expect(answer).toMatchObject({ status, code: 'import.form' });
    expect(answer.text).toMatch(text);
    expect(answer.text).toContain('curl -F archive=@FILE');
  });

  it('a part with another name, two archives, much else, a part that is cut off', async () => {
    const archive = await archiveOf(good);
    const one = multipart(archive);
    const part = one.body.subarray(0, one.body.indexOf('\r\n------nodeledger--'));
    const end = Buffer.from('\r\n------nodeledger--\r\n');
    const answers = [
      await send(multipart(archive, { name: 'file' })),
      await send({ ...one, body: Buffer.concat([part, Buffer.from('\r\n'), part, end]) }),
      await send({ ...one, body: Buffer.concat([Buffer.alloc(3_000_000, 'x'), one.body]) }),
      await send({ ...one, body: part }),
    ];
    expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [400, 'import.form']));
    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringContaining('no part named `archive`'),
      expect.stringContaining('more than one part'),
      expect.stringContaining('not of the archive'),
      expect.stringContaining('cut off'),
    ]);
  });

  it('a body that is compressed once more', async () => {
    expect(await send(multipart(await archiveOf(good)), { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 });
  });

  it('leaves nothing behind: the next archive is imported', async () => {
    expect((await sendEntries(good)).status).toBe(200);
    expect(server.heldBodyBytes).toBe(0);
  });
});

describe('a sender', () => {
  const open = async (archive: Buffer) => {
    const { body, contentType } = multipart(archive);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.write(
      `POST /pdb/admin/v1/archive HTTP/1.1\r\nhost: x\r\ncontent-type: ${contentType}\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    return { socket, body, answer: () => answer };
  };

  it('may take longer than other requests may, and only so many import at once', async () => {
    const archive = await archiveOf([metadata(), ...node('slow')]);
    const senders = [await open(archive), await open(archive)];
    for (const { socket, body } of senders) socket.write(body.subarray(0, 300));
    await delay(600);
    expect(await sendArchive(archive)).toMatchObject({ status: 503, code: 'import.busy' });
    for (const { socket, body } of senders) socket.write(body.subarray(300));
    while (senders.some(({ answer }) => !answer().includes('ok'))) await delay(10);
    for (const { socket } of senders) socket.destroy();
  });

  it('that goes away leaves a slot; what came is stored, and a repeat finishes', async () => {
    const many = [
      metadata(),
      ...Array.from({ length: 300 }, (_, n) => facts(`gone${n}`, { n, x: `${Math.sin(n)}`.repeat(20) })),
    ];
    const archive = await archiveOf(many);
    const { socket, body } = await open(archive);
    const before = await appended();
    socket.write(body.subarray(0, Math.floor(body.length * 0.9)));
    while ((await appended()) < before + 200) await delay(10);
    socket.destroy();
    await delay(100);
    await bench.settle();
    const answer = await sendArchive(archive);
    expect(answer.status).toBe(200);
    const known = Number(/known=(\d+)/.exec(answer.imported ?? '')?.[1]);
    expect(known).toBeGreaterThanOrEqual(200);
    await bench.settle();
    expect(await bench.rows(`SELECT count(*)::int AS count FROM {schema}.nodes WHERE certname LIKE 'gone%'`)).toEqual([
      { count: 300 },
    ]);
  });
});
