import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { Database, isOutOfOrder, isRetriable, statement } from './index';
import { until } from '../../test/support/until';

let fresh: FreshDatabase;
let db: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = new Database({ connectionString: fresh.connectionString, max: 4 });
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

test('tells how its connections are used, and how long callers wait and hold them', async () => {
  const watched = { waited: [] as number[], used: [] as number[], failed: 0 };
  const watch = {
    waited: (ms: number) => void watched.waited.push(ms),
    used: (ms: number) => void watched.used.push(ms),
    failed: () => void watched.failed++,
  };
  const own = new Database({ connectionString: fresh.connectionString, max: 1, connectTimeoutMs: 300, watch });
  expect(own.connections).toEqual({ active: 0, idle: 0, pending: 0, total: 0, max: 1 });
  const holding = own.transaction(async (session) => {
    await session.query(statement`SELECT pg_sleep(0.15)`);
    expect(own.connections).toEqual({ active: 1, idle: 0, pending: 1, total: 1, max: 1 });
  });
  const behind = own.query(statement`SELECT 1`);
  await Promise.all([holding, behind]);
  expect(own.connections).toEqual({ active: 0, idle: 1, pending: 0, total: 1, max: 1 });
  expect(watched.waited).toHaveLength(2);
  expect(watched.used).toHaveLength(2);
  expect(watched.used[0]).toBeGreaterThanOrEqual(140);
  expect(watched.waited[1]).toBeGreaterThanOrEqual(140);
  const long = own.query(statement`SELECT pg_sleep(0.8)`);
  await expect(own.query(statement`SELECT 1`)).rejects.toMatchObject({ code: 'database.crowded' });
  expect(watched.failed).toBe(1);
  await long;
  await own.close();
});

describe('query', () => {
  it('gives int8 as number, times, json as text, bytea as bytes', async () => {
    const [row] = await db.query(statement`
      SELECT ${7}::bigint AS n, '2026-01-02 03:04:05.678+02'::timestamptz AS t, '{"b": 1.0}'::jsonb AS b,
             '[1.0]'::json AS j, ${Buffer.from([0, 255, 92])}::bytea AS y, 1.50::numeric AS d, ARRAY['a', NULL] AS a`);
    expect(row).toEqual({
      n: 7,
      t: '2026-01-02 01:04:05.678+00',
      b: '{"b": 1.0}',
      j: '[1.0]',
      y: Buffer.from([0, 255, 92]),
      d: '1.50',
      a: ['a', null],
    });
  });

  it('refuses an integer that a number cannot hold', async () => {
    await expect(db.query(statement`SELECT 9007199254740993 AS n`)).rejects.toMatchObject({
      code: 'database.unsafe-integer',
    });
    expect(await db.query(statement`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });

  it('runs a named statement with changing values', async () => {
    const twice = (n: number) => ({ name: 'twice', text: 'SELECT $1::int * 2 AS n', values: [n] });
    expect([await db.query(twice(2)), await db.query(twice(5))]).toEqual([[{ n: 4 }], [{ n: 10 }]]);
  });

  it('waits for the disk at each commit, although the database does not', async () => {
    const name = new URL(fresh.connectionString).pathname.slice(1);
    await db.query({ text: `ALTER DATABASE ${name} SET synchronous_commit = off`, values: [] });
    const later = new Database({ connectionString: fresh.connectionString, max: 1 });
    try {
      const setting = statement`SELECT setting, reset_val AS "default" FROM pg_settings WHERE name = 'synchronous_commit'`;
      expect(await later.query(setting)).toEqual([{ setting: 'on', default: 'off' }]);
    } finally {
      await later.close();
    }
  });

  it('tells a statement timeout as a Fault', async () => {
    const hasty = new Database({ connectionString: fresh.connectionString, statementTimeoutMs: 50 });
    try {
      await expect(hasty.query(statement`SELECT pg_sleep(5)`)).rejects.toMatchObject({
        kind: 'timed-out',
        code: 'database.timeout',
      });
    } finally {
      await hasty.close();
    }
  });

  it('is read-only where it is asked to be', async () => {
    const reader = new Database({ connectionString: fresh.connectionString, readOnly: true });
    try {
      await expect(reader.query(statement`CREATE TABLE never (n int)`)).rejects.toMatchObject({ code: '25006' });
    } finally {
      await reader.close();
    }
  });

  it('tells who refuses and who cannot be reached', async () => {
    const url = new URL(fresh.connectionString);
    url.pathname = '/no_such_database';
    const unknown = new Database({ connectionString: url.href });
    await expect(unknown.query(statement`SELECT 1`)).rejects.toMatchObject({
      kind: 'broken',
      code: 'database.refused',
    });
    await unknown.close();
    const nobody = new Database({ connectionString: 'postgresql://u:p@127.0.0.1:1/d' });
    const error: unknown = await nobody.query(statement`SELECT 1`).catch((caught: unknown) => caught);
    await nobody.close();
    expect(error).toMatchObject({ kind: 'busy', code: 'database.unreachable' });
    expect(isRetriable(error)).toBe(true);
    expect((error as Fault).message).not.toContain(':p@');
  });
});

it('says busy where no connection becomes free', async () => {
  const narrow = new Database({ connectionString: fresh.connectionString, max: 1, connectTimeoutMs: 100 });
  await narrow.transaction(async () => {
    await expect(narrow.query(statement`SELECT 1`)).rejects.toMatchObject({ kind: 'busy', code: 'database.crowded' });
  });
  await narrow.close();
});

describe('transaction', () => {
  beforeAll(() => db.query({ text: 'CREATE TABLE kept (n int PRIMARY KEY)', values: [] }));

  it('commits what the function did', async () => {
    const result = await db.transaction(async (session) => {
      await session.query(statement`INSERT INTO kept VALUES (${1})`);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await db.query(statement`SELECT n FROM kept`)).toEqual([{ n: 1 }]);
  });

  it('takes everything back where the function throws', async () => {
    const failing = db.transaction(async (session) => {
      await session.query(statement`INSERT INTO kept VALUES (2)`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await db.query(statement`SELECT n FROM kept WHERE n = 2`)).toEqual([]);
  });

  it('is ended by PostgreSQL where nothing was asked in it for too long, and its locks with it', async () => {
    const own = new Database({ connectionString: fresh.connectionString, max: 1, idleTransactionTimeoutMs: 200 });
    try {
      const hung = own.transaction(async (session) => {
        await session.query(statement`SELECT pg_advisory_xact_lock(4711)`);
        const holders = statement`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711`;
        await until(async () => (await db.query(holders)).length === 1);
        await until(async () => (await db.query(holders)).length === 0);
        await session.query(statement`SELECT 1`);
      });
      const error: unknown = await hung.catch((thrown: unknown) => thrown);
      expect([isRetriable(error) || isOutOfOrder(error), error]).toEqual([true, expect.any(Error)]);
      expect(await own.query(statement`SELECT pg_try_advisory_xact_lock(4711) AS free`)).toEqual([{ free: true }]);
    } finally {
      await own.close();
    }
  });

  it('copies in and out', async () => {
    const copied = await db.transaction(async (session) => {
      async function* lines(): AsyncIterable<string> {
        yield '10\n1';
        await delay(1);
        yield '1\n';
      }
      await session.copyIn('COPY kept FROM STDIN', lines());
      await session.copyIn('COPY kept FROM STDIN', '12\n');
      let out = '';
      for await (const bytes of session.copyOut('COPY (SELECT n FROM kept WHERE n > 9 ORDER BY n) TO STDOUT'))
        out += bytes.toString('utf8');
      return out;
    });
    expect(copied).toBe('10\n11\n12\n');
  });

  it('fails, and frees its connection, where a copy is refused', async () => {
    const failing = db.transaction((session) => session.copyIn('COPY kept FROM STDIN', 'not a number\n'));
    await expect(failing).rejects.toMatchObject({ code: '22P02' });
    expect(await db.query(statement`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });
});

describe('listen', () => {
  it('closes its connection if the server refuses LISTEN', async () => {
    const url = new URL(fresh.connectionString);
    url.searchParams.set('application_name', 'refused');
    const other = new Database({ connectionString: url.href, max: 1 });
    // PostgreSQL refuses an empty channel name.
    await expect(other.listen('', () => undefined)).rejects.toMatchObject({ code: 'database.refused' });
    const open = statement`SELECT FROM pg_stat_activity WHERE application_name = 'refused'`;
    await until(async () => (await db.query(open)).length === 0);
    await other.close();
  });

  it('hears each channel, comes back after its connection broke, and stops', async () => {
    const heard: string[] = [];
    const stop = await db.listen('first_channel', (payload) => heard.push(`1 ${payload}`));
    await db.listen('Second Channel', (payload) => heard.push(`2 ${payload}`));
    await db.query(statement`SELECT pg_notify('first_channel', 'a'), pg_notify('Second Channel', 'b')`);
    await until(() => heard.length === 2);
    expect(heard.sort()).toEqual(['1 a', '2 b']);

    await db.query(statement`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);
    heard.length = 0;
    for (const deadline = Date.now() + 5000; heard.length === 0 && Date.now() < deadline; await delay(50)) {
      await db.query(statement`SELECT pg_notify('first_channel', 'again')`);
    }
    expect(heard[0]).toBe('1 again');

    await stop();
    heard.length = 0;
    await db.query(statement`SELECT pg_notify('first_channel', 'c')`);
    await db.query(statement`SELECT pg_notify('Second Channel', 'd')`);
    await until(() => heard.includes('2 d'));
    expect(heard.filter((line) => line.startsWith('1'))).toEqual([]);
  });
});
