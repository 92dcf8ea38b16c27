import { chmod, mkdir, mkdtemp, readFile, readlink, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Database, migrateControlTables, statement } from '../index';
import { EmbeddedPostgres } from './embedded-postgres';
import { stays, until } from '../../../test/support/until';
import { asRoot } from '../../../test/support/as-root';

let dataDir: string;
const running: EmbeddedPostgres[] = [];
const locations = new Set<string>();
const said: string[] = [];

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const postgres = await EmbeddedPostgres.start({ dataDir: folder, log: (line) => said.push(line) });
  running.push(postgres);
  locations.add(postgres.location);
  return postgres;
}

async function rows<R>(postgres: EmbeddedPostgres, text: string): Promise<R[]> {
  const db = new Database({ connectionString: postgres.connectionString, max: 1 });
  try {
    return await db.query<R>({ text, values: [] });
  } finally {
    await db.close();
  }
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nodeledger-embedded-'));
  await chmod(dataDir, 0o711);
  said.length = 0;
});
afterEach(async () => {
  for (const postgres of running.splice(0)) await postgres.stop();
  for (const location of locations) await rm(location, { recursive: true, force: true });
  locations.clear();
  await rm(dataDir, { recursive: true, force: true });
});

it('gives a UTF-8 database whose text is ordered by code point, and keeps it over a restart', async () => {
  const first = await start();
  await migrateControlTables(first.connectionString);
  expect(
    await rows(
      first,
      `SELECT datlocprovider AS provider, datlocale AS locale, pg_encoding_to_char(encoding) AS encoding,
                              current_setting('synchronous_commit') AS synchronous, current_setting('fsync') AS fsync,
                              current_setting('wal_segment_size') AS segment,
                              current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets
                       FROM pg_database WHERE datname = current_database()`,
    ),
  ).toEqual([
    {
      provider: 'b',
      locale: 'C.UTF-8',
      encoding: 'UTF8',
      synchronous: 'on',
      fsync: 'on',
      segment: '1MB',
      addresses: '127.0.0.1',
      sockets: first.location,
    },
  ]);
  // The pools use the socket; a person with psql may use TCP.
  expect(await rows(first, 'SELECT inet_server_addr() AS address')).toEqual([{ address: null }]);
  const byTcp = new URL(first.connectionString);
  byTcp.search = '';
  const db = new Database({ connectionString: byTcp.toString(), max: 1 });
  expect(await db.query({ text: 'SELECT host(inet_server_addr()) AS address', values: [] })).toEqual([
    { address: '127.0.0.1' },
  ]);
  await db.close();
  await rows(first, 'CREATE TABLE kept AS SELECT 7 AS n');
  await first.stop();
  await first.ended;
  await expect(rows(first, 'SELECT 1')).rejects.toMatchObject({ code: 'database.unreachable' });
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.starting'))).toEqual([]);

  const second = await start();
  expect(second.location).toBe(first.location);
  expect(await rows(second, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
});

it('lets nobody in without the password, which only its owner can read', async () => {
  const postgres = await start();
  expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
  const url = new URL(postgres.connectionString);
  url.password = 'guess';
  const guess = new Database({ connectionString: url.href });
  await expect(guess.query(statement`SELECT 1`)).rejects.toMatchObject({ code: 'database.refused' });
  await guess.close();
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
  expect(log).not.toContain((await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim());
});

it('writes no value of a statement into its log', async () => {
  const postgres = await start();
  await expect(rows(postgres, `SELECT 'planted'::integer`)).rejects.toMatchObject({ code: '22P02' });
  await rows(postgres, 'CREATE TABLE one (a text UNIQUE)');
  const twice = rows(postgres, `INSERT INTO one VALUES ('planted'), ('planted')`);
  await expect(twice).rejects.toMatchObject({ code: '23505' });
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
  expect(log).toContain('ready to accept connections');
  expect(log).not.toContain('planted');
});

it('refuses a second service on the same data directory, and names the first', async () => {
  await start();
  await expect(start()).rejects.toMatchObject({
    kind: 'conflict',
    code: 'database.in-use',
    message: expect.stringContaining(String(process.pid)) as string,
    details: { dataDir, pid: process.pid },
  });
  expect(await rows(running[0] as EmbeddedPostgres, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
});

it('lets only one of two services that start at once have a new data directory', async () => {
  const outcomes = await Promise.allSettled([start(), start()]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'database.in-use' } });
});

it('ends a server that nobody owns any more, and takes over its data', async () => {
  const left = await start();
  await rows(left, 'CREATE TABLE kept AS SELECT 7 AS n');
  // Simulates a killed service: the server runs, but the connection that held the owner lock is gone.
  await rows(left, `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'`);
  const next = await start();
  await left.ended;
  expect(said.join('\n')).toContain('that a stopped service left');
  expect(await rows(next, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
});

it('removes the sockets that a killed server left', async () => {
  const first = await start();
  const left = join(first.location, '.s.PGSQL.1');
  await writeFile(left, '');
  await writeFile(`${left}.lock`, '');
  await first.stop();
  const second = await start();
  const { port } = new URL(second.connectionString);
  const sockets = (await readdir(second.location)).filter((name) => name.startsWith('.s.PGSQL.'));
  expect(sockets.sort()).toEqual([`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]);
});

it('comes by TCP where the path is too long for a socket', async () => {
  const deep = join(dataDir, 'a'.repeat(90));
  const postgres = await start(deep);
  expect(await rows(postgres, 'SELECT host(inet_server_addr()) AS address')).toEqual([{ address: '127.0.0.1' }]);
});

it('takes its lock again where only its connection broke', async () => {
  const postgres = await start();
  await rows(postgres, `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'`);
  await until(async () => (await rows(postgres, `SELECT FROM pg_locks WHERE locktype = 'advisory'`)).length > 0);
  await expect(start()).rejects.toMatchObject({ code: 'database.in-use' });
});

describe('beside a service', () => {
  it('finds the server that it runs, by a link and a relative way too', async () => {
    expect([await EmbeddedPostgres.exists(dataDir), await EmbeddedPostgres.running(dataDir)]).toEqual([
      false,
      undefined,
    ]);
    const postgres = await start();
    const found = await EmbeddedPostgres.running(dataDir);
    expect(found).toMatchObject({ connectionString: postgres.connectionString, owner: process.pid });
    expect(await EmbeddedPostgres.exists(dataDir)).toBe(true);
    const link = `${dataDir}-link`;
    await symlink(dataDir, link);
    try {
      expect((await EmbeddedPostgres.running(relative(process.cwd(), link)))?.location).toBe(postgres.location);
    } finally {
      await rm(link);
    }
    let ended = false;
    void found?.ended.then(() => (ended = true));
    await stays(() => !ended, { forMs: 300, what: 'the running server' });
    await postgres.stop();
    await found?.ended;
    expect(await EmbeddedPostgres.running(dataDir)).toBeUndefined();
    expect(await EmbeddedPostgres.exists(dataDir)).toBe(true);
  });

  it('waits for a service whose connection has just broken', async () => {
    const postgres = await start();
    await rows(postgres, `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'`);
    expect(await EmbeddedPostgres.running(dataDir)).toMatchObject({ owner: process.pid });
  });

  it('tells that the password file is another one', async () => {
    const postgres = await start();
    await writeFile(join(dataDir, 'postgres.password'), 'guess\n');
    await expect(EmbeddedPostgres.running(dataDir)).rejects.toMatchObject({ code: 'database.password-lost' });
    await postgres.stop();
  });
});

it('repairs what a start that was killed in the middle left behind', async () => {
  const first = await start();
  await first.stop();
  const half = join(first.location, 'cluster.new-half');
  await mkdir(half);
  await writeFile(join(half, 'PG_VERSION'), '18');
  await writeFile(join(dataDir, `postgres.starting.${2 ** 22 + 1}-1-00`), '');
  await rm(join(dataDir, 'postgres.password'));
  const again = await start();
  expect(await rows(again, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  expect((await readdir(first.location)).filter((name) => name.startsWith('cluster'))).toEqual(['cluster']);
});

it.each([
  [
    'by another version of PostgreSQL',
    (cluster: string) => writeFile(join(cluster, 'PG_VERSION'), '15\n'),
    'database.other-version',
  ],
  ['by nobody, as it has lost its version', (cluster: string) => rm(join(cluster, 'PG_VERSION')), 'database.data-dir'],
])('refuses a cluster that was made %s', async (_title, damage, code) => {
  const first = await start();
  await first.stop();
  await damage(join(first.location, 'cluster'));
  await expect(start()).rejects.toMatchObject({ kind: 'broken', code, hint: expect.any(String) as string });
});

it('tells what PostgreSQL said where it does not start', async () => {
  const failing = EmbeddedPostgres.start({ dataDir, settings: { shared_buffers: 'plenty' } });
  await expect(failing).rejects.toMatchObject({
    code: 'database.start',
    message: expect.stringContaining('plenty') as string,
  });
  locations.add(join(dataDir, 'postgres'));
});

it('refuses a data directory that cannot be made', async () => {
  await writeFile(join(dataDir, 'file'), '');
  for (const path of [join(dataDir, 'file'), join(dataDir, 'file', 'data')]) {
    await expect(start(path)).rejects.toMatchObject({
      kind: 'broken',
      code: 'database.data-dir',
      hint: 'This path, or a part of it, is a file. Name a directory: NODELEDGER_DATA_DIR.',
    });
  }
});

(asRoot ? it : it.skip)(
  'as root, puts the cluster where its user can get to, if the data directory is closed to it',
  async () => {
    await chmod(dataDir, 0o700);
    const postgres = await start();
    expect(postgres.location).toMatch(/^\/var\/lib\/nodeledger\/[0-9a-f-]{36}$/);
    expect(await readlink(join(dataDir, 'postgres'))).toBe(postgres.location);
    expect((await stat(postgres.location)).uid).not.toBe(0);
    expect(await readFile(join(postgres.location, 'belongs-to'), 'utf8')).toBe(`${join(dataDir, 'postgres')}\n`);
    await postgres.stop();
    expect((await start()).location).toBe(postgres.location);
  },
);
