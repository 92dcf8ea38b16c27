/**
 * Tests maintenance verbs as processes with a service and its embedded PostgreSQL: while the service runs, after it was
 * stopped, and after either was interrupted.
 */
import { readdir, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Database, EmbeddedPostgres, type Session } from '#database';
import type { LogStatus } from '#admin';
import { factset } from '../support/documents';
import { startService, temporaryDataDir, type RunningService } from './service';
import { runTool, runVerb, startVerb, type VerbEnd } from './verb';
import { askQuery } from '../support/ask-query';

// Each test runs several processes, which takes longer on a busy machine.
jest.setTimeout(240_000);

const nodes = 4;
const runs = 24;
/** More than one batch of a replay. */
const commands = nodes * runs * 3;
const env = { NODELEDGER_GC_INTERVAL: '0', NODELEDGER_SNAPSHOT_INTERVAL: '0', NODELEDGER_LOG_PARTITIONS: '3' };

interface DifferingJson {
  readonly counted: number;
  readonly differences: readonly {
    readonly table: string;
    readonly certname: string | null;
    readonly columns: unknown;
  }[];
}

let dataDir: string;
let service: RunningService;

const verb = (...args: string[]): Promise<VerbEnd> => runVerb(args, dataDir, { NODELEDGER_DATA_DIR: dataDir });
const begin = (...args: string[]) => startVerb(args, dataDir, { NODELEDGER_DATA_DIR: dataDir });

/** Returns the output of the verb, which must succeed. */
async function answer<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await verb(...args);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as T;
}
const status = (): Promise<LogStatus> => answer<LogStatus>('log', 'status');
const states = async (): Promise<string[]> => (await status()).generations.map(({ state }) => state);

/** A connection to the PostgreSQL that the service runs. */
async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const server = await EmbeddedPostgres.running(dataDir);
  if (server === undefined) throw new Error('no PostgreSQL runs');
  const db = new Database({ connectionString: server.connectionString, max: 2, applicationName: 'test' });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
const sql = <R>(on: Database | Session, text: string): Promise<R[]> => on.query<R>({ text, values: [] });

/** A text that the live tables must not contain. */
async function damage(): Promise<string> {
  return withDatabase(async (db) => {
    const [live] = await sql<{ schema: string }>(
      db,
      `SELECT schema_name AS schema FROM nodeledger.generations WHERE state = 'live'`,
    );
    const [row] = await sql<{ certname: string }>(
      db,
      `UPDATE ${live?.schema}.nodes SET latest_report_status = 'damaged'
       WHERE certname = (SELECT min(certname) FROM ${live?.schema}.nodes) RETURNING certname`,
    );
    return row?.certname ?? '';
  });
}

const statusOf = async (certname: string): Promise<string> =>
  (await askQuery<{ latest_report_status: string }>(service, `nodes/${certname}`)).latest_report_status;

async function submit(certname: string): Promise<unknown> {
  const parameters = new URLSearchParams({
    command: 'replace facts',
    version: '5',
    certname,
    secondsToWaitForCompletion: '20',
  });
  const response = await fetch(`${service.url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(factset(certname, { role: 'web' }, { producer_timestamp: new Date().toISOString() })),
  });
  return response.json();
}

/** Starts the verb and blocks its first batch, so that the next step happens in the middle. */
async function heldUp(
  args: readonly string[],
  then: (running: ReturnType<typeof begin>) => Promise<void>,
): Promise<VerbEnd> {
  const [clock] = await withDatabase((db) => sql<{ now: string }>(db, 'SELECT now()::text AS now'));
  const building = `SELECT generation FROM nodeledger.generations
                    WHERE state IN ('building', 'scratch') AND created_at > '${clock?.now}'`;
  const running = begin(...args);
  await withDatabase(async (db) => {
    for (const deadline = Date.now() + 30_000; (await sql(db, building)).length === 0; await delay(2)) {
      if (Date.now() > deadline) throw new Error('no generation was begun');
    }
    await db.transaction(async (session) => {
      await sql(session, `SELECT FROM nodeledger.positions WHERE generation = (${building}) FOR UPDATE`);
      await then(running);
    });
  }).catch((error: unknown) => {
    running.signal('SIGKILL');
    throw error;
  });
  return running.ended;
}

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  service = await startService({ dataDir, env });
  const size = ['--nodes', String(nodes), '--runs', String(runs)];
  const fed = await runTool(['fleet', '--url', service.url, ...size, '--compact', '--gzip', '--wait'], dataDir);
  expect([fed.code, fed.stdout]).toEqual([0, expect.stringContaining(`${commands} commands accepted`)]);
}, 180_000);
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('beside the running service', () => {
  test('log status tells the log, its partitions and generations', async () => {
    const look = await status();
    expect(look).toMatchObject({ body: 'embedded', lag: 0, lastSnapshot: null });
    expect(look.partitions).toHaveLength(3);
    expect(look.partitions.reduce((sum, { end, tail }) => sum + end - tail, 0)).toBe(commands);
    expect(look.generations).toEqual([expect.objectContaining({ generation: 1, state: 'live', lag: 0 })]);
  });

  test('verify finds that the tables agree with the log, and leaves nothing behind', async () => {
    const verdict = await answer<{ records: number; rows: number; counted: number }>('verify');
    expect(verdict).toMatchObject({ records: commands, counted: 0, differences: [] });
    expect(verdict.rows).toBeGreaterThan(commands);
    expect(await states()).toEqual(['live']);
  });

  test('verify names a damaged row, rebuild shows it first and heals it, rollback brings it back', async () => {
    const certname = await damage();
    const wrong = await verb('verify');
    const named = JSON.parse(wrong.stdout) as DifferingJson;
    expect([wrong.code, named.counted]).toEqual([1, 1]);
    expect(named.differences).toEqual([
      {
        table: 'nodes',
        certname,
        in: 'both',
        columns: [{ column: 'latest_report_status', live: '"damaged"', replayed: expect.any(String) as string }],
      },
    ]);

    const dry = await verb('rebuild', '--dry-run');
    expect([dry.code, JSON.parse(dry.stdout)]).toMatchObject([1, { switched: false, comparison: { counted: 1 } }]);
    expect(await states()).toEqual(['live']);

    const differs = await verb('rebuild');
    expect([differs.code, JSON.parse(differs.stdout)]).toMatchObject([
      1,
      { switched: false, comparison: { counted: 1, differences: named.differences } },
    ]);
    expect(differs.stderr).toMatch(/differ from the live ones.*\n.*--resume --accept-differences/);
    expect(await statusOf(certname)).toBe('damaged');

    const healed = await answer('rebuild', '--resume', '--accept-differences');
    expect(healed).toMatchObject({ records: 0, switched: true, comparison: { counted: 1 } });
    expect(await statusOf(certname)).not.toBe('damaged');
    expect(await submit('after-rebuild.test')).toMatchObject({ processed: true });
    expect(await states()).toEqual(['retired', 'live']);

    await answer('rebuild', '--rollback');
    expect(await statusOf(certname)).toBe('damaged');
    expect(await askQuery(service, 'nodes/after-rebuild.test')).toMatchObject({ certname: 'after-rebuild.test' });
    expect(await submit('after-rollback.test')).toMatchObject({ processed: true });

    await answer('rebuild', '--rollback');
    expect(await statusOf(certname)).not.toBe('damaged');
    expect(await answer('rebuild', '--drop-previous')).toEqual({ dropped: 1 });
    expect((await verb('rebuild', '--rollback')).stderr).toMatch(/no earlier generation/);
    expect(await answer('verify')).toMatchObject({ counted: 0 });
  });

  test('tables as of an earlier position stand beside the live ones', async () => {
    const made = await answer<{ schema: string }>('rebuild', '--to-position', '0-2,1-1,2-1');
    const counted = await withDatabase((db) =>
      sql<{ n: number }>(db, `SELECT count(*)::int AS n FROM ${made.schema}.nodes`),
    );
    expect(counted).toEqual([{ n: 1 }]);
    expect(await states()).toEqual(['live', 'point']);
    const beyond = await verb('rebuild', '--to-position', '0-999999');
    expect([beyond.code, beyond.stderr]).toEqual([1, expect.stringMatching(/no position 0-999999/)]);
    expect(await answer('rebuild', '--drop-previous')).toEqual({ dropped: 1 });
  });

  test('a rebuild that is interrupted says how to go on, and goes on', async () => {
    const stopped = await heldUp(['rebuild'], async (running) => {
      const second = await verb('verify');
      expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(/is already running/)]);
      running.signal('SIGINT');
      await running.said(/stopping after the current batch/);
    });
    expect([stopped.code, stopped.stdout]).toEqual([130, '']);
    expect(stopped.stderr).toMatch(/rebuild --resume/);
    expect(await states()).toEqual(['live', 'building']);

    const refused = await verb('rebuild');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/is unfinished.*\n.*--resume/)]);
    const { records } = await answer<{ records: number }>('rebuild', '--resume');
    // On a slow machine, the batch that was interrupted may have had all the others.
    expect(records).toBeLessThan(commands);
    expect(await answer('verify')).toMatchObject({ counted: 0 });
  });

  test('a rebuild that is killed is resumed, or started again', async () => {
    for (const how of ['--restart', '--resume']) {
      const killed = await heldUp(['rebuild', ...(how === '--resume' ? ['--restart'] : [])], async (running) => {
        running.signal('SIGKILL');
        await running.ended;
      });
      expect(killed.code).toBeNull();
      expect(await states()).toContain('building');
      // The connection that held the lock ends a moment later.
      let again = await verb('rebuild', how);
      for (const deadline = Date.now() + 10_000; /already running/.test(again.stderr) && Date.now() < deadline;) {
        again = await verb('rebuild', how);
      }
      expect([again.code, again.code === 0 ? '' : again.stderr]).toEqual([0, '']);
    }
    expect(await states()).toEqual(['retired', 'live']);
    expect(await answer('verify')).toMatchObject({ counted: 0 });
  });

  test('a verification that the service ends under says so', async () => {
    let ended: VerbEnd | undefined;
    const holding = heldUp(['verify'], async (running) => {
      await service.stop();
      ended = await running.ended;
    });
    // The transaction that blocked it was aborted, too.
    await expect(holding).rejects.toBeDefined();
    service = await startService({ dataDir, env });
    expect([ended?.code, ended?.stderr]).toEqual([
      1,
      expect.stringMatching(/the service that runs this PostgreSQL has stopped it\nNothing was changed/),
    ]);
    const look = await status();
    expect(look.lag).toBe(0);
  });

  test('a snapshot asks first, then leaves what counts; a rebuild from that gives the same tables', async () => {
    const before = await askQuery(service, 'nodes?order_by=[{"field":"certname"}]');
    const unasked = await verb('snapshot', '--history', '0');
    expect([unasked.code, unasked.stdout]).toEqual([1, '']);
    expect(unasked.stderr).toMatch(new RegExp(`removes from the log .*up to ${commands + 2} records[^]*--yes`));
    expect((await status()).partitions.every(({ base }) => base === null)).toBe(true);

    const kept = await answer<{ kept: number; removed: number }>('snapshot', '--history', '0', '--yes');
    // All reports, the last facts and catalog of each node, and the facts of the two later nodes.
    const counts = nodes * (runs + 2) + 2;
    expect(kept).toMatchObject({ nothingToDo: false, kept: counts, removed: commands + 2 - counts });
    const look = await status();
    expect(look.lastSnapshot).not.toBeNull();
    expect(look.partitions.every(({ base, tail, end }) => base !== null && base < tail && tail === end)).toBe(true);
    expect(await answer('snapshot', '--history', '0')).toMatchObject({ nothingToDo: true });

    expect(await answer('verify')).toMatchObject({ counted: 0 });
    expect(await answer('rebuild')).toMatchObject({ switched: true, records: kept.kept, comparison: { counted: 0 } });
    expect(await askQuery(service, 'nodes?order_by=[{"field":"certname"}]')).toEqual(before);
    const past = await verb('rebuild', '--to-position', '0-5');
    expect([past.code, past.stderr]).toEqual([1, expect.stringMatching(/is unknown|no position/)]);
  });

  test('a copy is refused while the service runs, and without brokers', async () => {
    const brokerless = await verb('log', 'copy', '--to-topic', 'elsewhere');
    expect([brokerless.code, brokerless.stderr]).toEqual([1, expect.stringMatching(/--to-brokers/)]);
    const served = await verb('log', 'copy', '--to-topic', 'elsewhere', '--to-brokers', '127.0.0.1:9');
    expect([served.code, served.stderr]).toEqual([1, expect.stringMatching(/a service is running on this database/)]);
  });
});

describe('without a service', () => {
  afterAll(async () => {
    service = await startService({ dataDir, env });
  });

  test('each verb starts the PostgreSQL of the data directory and ends it again', async () => {
    expect(await service.stop()).toBe(0);
    const verified = await verb('verify');
    expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([0, { counted: 0 }]);
    expect(verified.stderr).toMatch(/starting its PostgreSQL/);
    expect(await EmbeddedPostgres.running(dataDir)).toBeUndefined();
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.starting'))).toEqual([]);
    expect(await answer('rebuild')).toMatchObject({ switched: true });
    expect(await states()).toEqual(['retired', 'live']);
    expect(await answer('rebuild', '--rollback')).toMatchObject({ generation: expect.any(Number) as number });
    expect((await status()).lag).toBe(0);
  });

  test('what a killed service left running is taken over', async () => {
    service = await startService({ dataDir, env });
    await service.kill();
    expect(await answer('verify')).toMatchObject({ counted: 0 });
    expect(await EmbeddedPostgres.running(dataDir)).toBeUndefined();
  });

  test('nothing is made where no service ever was', async () => {
    const empty = await temporaryDataDir();
    try {
      const { code, stderr } = await runVerb(['verify', '--data-dir', empty], empty);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/there is no database in .*\n.*--data-dir/)]);
      expect(await readdir(empty)).toEqual([]);
    } finally {
      await rm(empty, { recursive: true, force: true });
    }
  });
});
