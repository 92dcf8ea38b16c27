import { spawnSync } from 'node:child_process';
import { Generations } from '#database';
import { isFault } from '#fault';
import { defaultLimits } from '#limits';
import type { CommandLog, Position, RecordLookUp } from '#log';
import { rebuild, type ReplayContext, snapshot } from '#projections';
import { limitNode } from '../../../test/support/age-limits';
import { catalog, edge, event, factset, report, resource } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { tellSkipped } from '../../../test/support/tell-skipped';
import { until } from '../../../test/support/until';
import { entryKinds } from '../format/entry-kinds';
import { readEntryName } from '../format/entry-name';
import { readMetadata } from '../format/metadata';
import { collected, readArchive, type ReadEntry } from '../../../test/support/read-archive';
import { exportArchive, type ExportOptions } from './export-archive';

const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString();
const root = 'nodeledger-bak';
const options: ExportOptions = { root };

let bench: ProjectionBench;
beforeEach(async () => {
  bench = await ProjectionBench.open(3);
});
afterEach(() => bench.close());

const contextOf = ({ db, log, logId }: Pick<ProjectionBench, 'db' | 'logId'> & { log: CommandLog }): ReplayContext => ({
  db,
  log,
  logId,
  maxCommandBytes: 20_000_000,
  limits: defaultLimits,
  signal: new AbortController().signal,
});
const context = (over: Partial<ReplayContext> = {}): ReplayContext => ({ ...contextOf(bench), ...over });
const archive = (over: Partial<ExportOptions> = {}, on = context()): Promise<Buffer> =>
  collected(exportArchive(on, { ...options, ...over }));

/** Makes a log that can only be read in order. */
const inOrderOnly = (log: CommandLog): CommandLog =>
  new Proxy(log, { get: (of, name) => (name === 'lookUp' ? undefined : Reflect.get(of, name, of)) });

/** Nodes with all kinds of documents, stale ones among them, and every state that a node can be in. */
async function feed(nodes = 6): Promise<void> {
  for (let n = 0; n < nodes; n++) {
    const certname = n === 0 ? '../we/b 0' : `node-${n}`;
    await bench.submit('replace facts', certname, {
      payload: `{"values":{"z":1.0,"big":12345678901234567890,"n":${n}},"certname":"${certname}","environment":null,
        "producer":"p","producer_timestamp":"${day(3)}"}`,
    });
    await bench.submit('replace facts', certname, {
      payload: factset(certname, { n: 'stale' }, { producer_timestamp: day(2) }),
    });
    await bench.submit('replace catalog', certname, {
      payload: catalog(certname, [resource('/b'), resource('/a')], [edge('/a', '/b')]),
    });
    await bench.submit('replace catalog inputs', certname, {
      version: 1,
      receivedAt: Date.parse(day(2)),
      payload: { certname, catalog_uuid: '00000000-0000-4000-8000-000000000002', inputs: [['hiera', `k${n}`]] },
    });
    for (const run of [2, 1, 3]) {
      const over = { producer_timestamp: day(run), configuration_version: `v${run}` };
      await bench.submit('store report', certname, { payload: report(certname, [event('ensure')], over) });
    }
    // Of two reports with equal times, the first one counts as the latest.
    for (const version of ['first', 'second']) {
      const over = { producer_timestamp: day(4), configuration_version: version };
      await bench.submit('store report', certname, { payload: report(certname, [], over) });
    }
  }
  const lives = (command: string, certname: string, more: object): Promise<unknown> =>
    bench.submit(command, certname, { version: command === 'deactivate node' ? 3 : 1, payload: { certname, ...more } });
  await lives('deactivate node', 'node-1', { producer_timestamp: day(9) });
  await limitNode(bench, 'node-2', { expiry: { expired: day(20), cutoff: day(19), most: 1 } });
  await lives('configure expiration', 'node-3', { producer_timestamp: day(5), expire: { facts: false } });
  await lives('deactivate node', 'never-seen', { producer_timestamp: day(9) });
  await bench.submit('store report', 'purged', { payload: report('purged', []) });
  await limitNode(bench, 'purged', { reportsBefore: day(9) });
  await lives('delete node', 'node-4', {});
  await bench.submit('replace facts', 'node-5', { payload: '{broken' });
  await bench.settle();
}

/** Submits every document of an archive, in its order. */
async function importInto(target: ProjectionBench, entries: readonly ReadEntry[]): Promise<void> {
  const versions = readMetadata(entries[0]!.text)!.commandVersions;
  for (const { header, text } of entries.slice(1)) {
    const name = readEntryName(header.name);
    if (name?.holds !== 'document') throw new Error(header.name);
    const { command } = entryKinds.find(({ kind }) => kind === name.kind)!;
    const { certname } = JSON.parse(text) as { certname: string };
    const version = versions[command.replaceAll(' ', '_')]!;
    await target.submit(command, certname, { version, payload: text, receivedAt: Date.UTC(2027, 0, 1) });
  }
  await target.settle();
}

test('an archive holds the metadata, then every document that counts, by certname, kind and time', async () => {
  await feed(3);
  const entries = await readArchive(await archive());

  const names = entries.map(({ header }) => header.name.replace(/-[0-9a-f]{40}\.json$/, '-HASH.json'));
  const ofNode = (node: string, below: string): string[] => [
    `${root}/${below}facts/${node}.json`,
    `${root}/${below}catalogs/${node}-HASH.json`,
    `${root}/${below}catalog_inputs/${node}-HASH.json`,
    ...Array.from({ length: 5 }, () => `${root}/${below}reports/${node}-HASH.json`),
  ];
  expect(names).toEqual([
    `${root}/export-metadata.json`,
    ...ofNode('%2E.%2Fwe%2Fb%200', ''),
    `${root}/node_states/never-seen.json`,
    ...ofNode('node-1', 'inactive/'),
    `${root}/node_states/node-1.json`,
    ...ofNode('node-2', 'inactive/'),
    `${root}/node_states/node-2.json`,
    `${root}/configure_expiration/node-3-HASH.json`,
    `${root}/node_states/purged.json`,
  ]);
  expect(new Set(entries.map(({ header }) => header.name)).size).toBe(entries.length);
  const metadata = readMetadata(entries[0]!.text);
  expect(metadata).toMatchObject({ timestamp: day(20), documents: { facts: 3, reports: 15, node_states: 4 } });
  expect(Object.values(metadata!.documents!).reduce((sum, one) => sum + one, 0)).toBe(entries.length - 1);
  const text = (name: string): string => entries.find(({ header }) => header.name.includes(name))!.text;
  expect(text('facts/%2E')).toBe(
    `{"certname":"../we/b 0","environment":null,"producer":"p","producer_timestamp":"${day(3)}",` +
      '"values":{"big":12345678901234567890,"n":0,"z":1.0}}',
  );
  // If a document has no time, the time of receipt is used.
  expect(text('catalog_inputs/%2E')).toContain(`"producer_timestamp":"${day(2)}"`);
  expect(text('configure_expiration/node-3')).toBe(
    `{"certname":"node-3","expire":{"facts":false},"producer_timestamp":"${day(5)}"}`,
  );
  expect(text('node_states/node-2')).toBe(
    `{"certname":"node-2","deactivated":null,"expire_facts":true,"expire_facts_updated":null,"expired":"${day(20)}","expired_cutoff":"${day(19)}"}`,
  );
  const reports = entries.filter(({ header }) => header.name.includes('reports/node-1'));
  expect(reports.map((one) => (JSON.parse(one.text) as Record<string, string>)['configuration_version'])).toEqual([
    'v1',
    'v2',
    'v3',
    'first',
    'second',
  ]);
  for (const { header } of entries) expect(header).toMatchObject({ mode: 0o644, uid: 0, gid: 0, type: 'file' });
  expect(entries[1]!.header.mtime).toEqual(new Date(day(3)));
});

test('one position gives the same bytes: again, read in order, after a snapshot, a rebuild, an import', async () => {
  await feed();
  const bytes = await archive();
  expect(await archive()).toEqual(bytes);
  expect(await archive({}, context({ log: inOrderOnly(bench.log) }))).toEqual(bytes);

  await snapshot(context(), { historyMs: 0 });
  expect(await archive()).toEqual(bytes);
  expect(await archive({}, context({ log: inOrderOnly(bench.log) }))).toEqual(bytes);
  await rebuild(context());
  expect(await archive()).toEqual(bytes);

  const other = await ProjectionBench.open(2);
  try {
    await importInto(other, await readArchive(bytes));
    expect(other.deadLetters).toEqual([]);
    expect(await archive({}, contextOf(other))).toEqual(bytes);
    const nodes = `SELECT certname, deactivated, expired, expired_cutoff, expires_facts, expires_facts_updated,
      latest_report_hash FROM {schema}.nodes ORDER BY 1`;
    const live = (await new Generations(bench.db).live())!;
    expect(await other.rows(nodes)).toEqual(
      await bench.db.query({ text: nodes.replaceAll('{schema}', live.schema), values: [] }),
    );
  } finally {
    await other.close();
  }
});

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) tellSkipped('there is no python3, which reads archives', 'NODELEDGER_REQUIRE_PYTHON_CLIENTS');
(hasPython ? test : test.skip)('Python reads an archive with times that a tar file cannot hold', async () => {
  for (const year of ['1960', '1970', '2040', '9999']) {
    const over = { producer_timestamp: `${year}-01-01T00:00:00Z` };
    await bench.submit('replace facts', year, { payload: factset(year, {}, over) });
  }
  await bench.settle();
  const script = `import sys, tarfile
for entry in tarfile.open(fileobj=sys.stdin.buffer, mode='r|gz'): print(entry.name, int(entry.mtime))`;
  const { stdout, stderr } = spawnSync('python3', ['-c', script], { input: await archive(), encoding: 'utf8' });
  const latest = 2 ** 31 - 1;
  expect([stderr, ...stdout.trim().split('\n')]).toEqual([
    '',
    `${root}/export-metadata.json ${latest}`,
    `${root}/facts/1960.json 0`,
    `${root}/facts/1970.json 0`,
    `${root}/facts/2040.json ${latest}`,
    `${root}/facts/9999.json ${latest}`,
  ]);
});

test('what happens during an export does not change it, and a snapshot waits for its end', async () => {
  await feed();
  const bytes = await archive();
  const chunks: Buffer[] = [];
  const running = exportArchive(context(), options);
  const first = await running.next();
  chunks.push(first.value as Buffer);

  for (const certname of ['node-1', 'node-3']) {
    await bench.submit('delete node', certname, { version: 1, payload: { certname } });
  }
  await bench.settle();
  const notices: string[] = [];
  const snapshots = snapshot(context({ onNotice: (text) => void notices.push(text) }), { historyMs: 0 });
  await until(() => notices.includes('waits until the exports under way are done'));
  // The snapshot sends this notice just before it begins to wait, so an export may still begin in between.
  const refusal = (): Promise<unknown> =>
    archive().then(
      () => undefined,
      (error: unknown) => error,
    );
  await until(async () => isFault(await refusal()), { what: 'the refusal of another export' });
  expect(await refusal()).toMatchObject({ kind: 'conflict', code: 'maintenance.busy' });

  for await (const chunk of running) chunks.push(chunk);
  expect(Buffer.concat(chunks)).toEqual(bytes);
  expect((await snapshots).nothingToDo).toBe(false);
  expect(await archive()).not.toEqual(bytes);
});

test('no transaction is open while an archive is written, and a reader that leaves frees everything', async () => {
  await feed(2);
  const running = exportArchive(context(), options);
  await running.next();
  const open = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database()
    AND backend_type = 'client backend' AND (state LIKE 'idle in transaction%' OR backend_xmin IS NOT NULL)
    AND pid <> pg_backend_pid()`;
  // A statement of the export may be running. A transaction that stays open would never end.
  await until(async () => (await bench.rows<{ open: number }>(open))[0]!.open === 0).finally(() =>
    running.return(undefined),
  );
  const locks = `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await until(async () => (await bench.rows<{ held: number }>(locks))[0]!.held === 0);
});

test('an earlier position gives what an export gave then', async () => {
  await feed(2);
  const then = await bench.log.ends();
  const bytes = await archive();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const time = Date.now();
  await bench.submit('replace facts', 'node-1', {
    payload: factset('node-1', { later: 1 }, { producer_timestamp: day(30) }),
  });
  await bench.settle();

  expect(await archive()).not.toEqual(bytes);
  expect(await archive({ at: { offsets: then } })).toEqual(bytes);
  expect(await archive({ at: { time } })).toEqual(bytes);
  expect((await new Generations(bench.db).list()).map(({ state }) => state)).toEqual(['live']);
  await expect(archive({ at: { offsets: new Map([[0, 999]]) } })).rejects.toMatchObject({ code: 'replay.position' });

  await snapshot(context(), { historyMs: 0 });
  await expect(archive({ at: { time } })).rejects.toMatchObject({ code: 'replay.position' });
  expect(await archive({ at: { time: Date.now() } })).toEqual(await archive());
});

test('a record that is missing breaks the export', async () => {
  await feed(2);
  const lookUp = bench.log.lookUp as RecordLookUp;
  const log = new Proxy<CommandLog>(bench.log, {
    get: (of, name) =>
      name === 'lookUp'
        ? (positions: readonly Position[]) =>
            lookUp(
              positions.map((one) => ({ ...one, offset: one.offset + 500 })),
              1,
            )
        : (Reflect.get(of, name, of) as unknown),
  });
  await expect(archive({}, context({ log }))).rejects.toMatchObject({ code: 'log.no-record' });
});

test('an empty store gives an archive of its metadata', async () => {
  const entries = await readArchive(await archive({ root: 'puppetdb-bak' }));
  expect(entries.map(({ header }) => header.name)).toEqual(['puppetdb-bak/export-metadata.json']);
  expect(readMetadata(entries[0]!.text)).toMatchObject({ timestamp: null, documents: { facts: 0 } });
});
