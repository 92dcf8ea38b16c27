import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from './database';
import { EmbeddedPostgres } from './embedded/embedded-postgres';
import { Generations, type Generation } from './generations';
import { migrateControlTables } from './migrate';
import { advancePositions } from './positions';

let dataDir: string;
let server: EmbeddedPostgres;
let db: Database;
let generation: Generation;

const partitions = 500;
const partitionedTable = `
  CREATE TABLE {schema}.events (day int NOT NULL, name text, PRIMARY KEY (day, name)) PARTITION BY LIST (day);
  CREATE INDEX ON {schema}.events (name);`;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nodeledger-drop-'));
  await chmod(dataDir, 0o711);
  // Allows locks for few tables, as on a server that other applications use.
  const settings = { fsync: 'off', max_connections: '15', max_locks_per_transaction: '10' };
  server = await EmbeddedPostgres.start({ dataDir, settings });
  await migrateControlTables(server.connectionString);
  db = new Database({ connectionString: server.connectionString, max: 3 });
  const log = { logId: randomUUID(), starts: new Map([[0, 1]]) };
  generation = await new Generations(db).create({
    ddl: partitionedTable,
    projectionVersion: 1,
    log,
    purpose: 'rebuild',
  });
  for (let day = 1; day <= partitions; day++) {
    await db.query({
      text: `CREATE TABLE ${generation.schema}.events_${day} PARTITION OF ${generation.schema}.events FOR VALUES IN (${day})`,
      values: [],
    });
  }
}, 120_000);
/** Ends the transaction that holds a lock. */
const blocker = new AbortController();
afterAll(async () => {
  blocker.abort();
  await db?.close();
  await server?.stop();
  if (server !== undefined) await rm(server.location, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

const tables = async (): Promise<number> => {
  const [row] = await db.query<{ count: number }>({
    text: `SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = $1`,
    values: [generation.schema],
  });
  return row?.count ?? 0;
};

it('drops a generation with more tables than the server can lock at once', async () => {
  const atOnce = db.query({ text: `DROP SCHEMA ${generation.schema} CASCADE`, values: [] });
  await expect(atOnce).rejects.toMatchObject({ code: '53200' });

  // Fails in the middle, because one of the tables is in use.
  let blocking: Promise<void> | undefined;
  const holder = await new Promise<number>((resolve, reject) => {
    blocking = db.transaction(async (session) => {
      await session.query({
        text: `LOCK TABLE ${generation.schema}.events_99 IN ACCESS SHARE MODE`,
        values: [],
      });
      const [own] = await session.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid', values: [] });
      resolve(own!.pid);
      await new Promise<void>((ended) => blocker.signal.addEventListener('abort', () => ended()));
    });
    blocking.catch(reject);
  });
  const dropping = new Generations(db).drop(generation).catch((error: unknown) => error);
  for (let tries = 0; tries < 600; tries++) {
    const waiting = await db.query<{ pid: number }>({
      // Earlier statements may wait for autovacuum.
      text: `SELECT pid FROM pg_stat_activity WHERE query LIKE 'DROP TABLE%' AND $1::int = ANY (pg_blocking_pids(pid))`,
      values: [holder],
    });
    if (waiting.length > 0) {
      await db.query({ text: 'SELECT pg_terminate_backend($1)', values: [waiting[0]?.pid] });
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await dropping).toBeInstanceOf(Error);
  const left = await tables();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(partitions);
  expect(await new Generations(db).list()).toMatchObject([{ state: 'dropped' }]);
  const filling = db.transaction((session) =>
    advancePositions(session, generation.generation, [{ partition: 0, from: 1, to: 2 }]),
  );
  await expect(filling).rejects.toMatchObject({ code: 'database.retired' });
  blocker.abort();
  await blocking;

  await new Generations(db).drop(generation);
  expect(await tables()).toBe(0);
  expect(await new Generations(db).list()).toEqual([]);
}, 120_000);
