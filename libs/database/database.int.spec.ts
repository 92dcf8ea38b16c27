import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { Database, isRetriable, type ReadTransaction, type Sql, statement } from './index';
import { chunkBytes } from './row-reading';
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

const busyBackends = (): Promise<{ n: number }[]> =>
  db.query(statement`SELECT count(*) AS n FROM pg_stat_activity
               WHERE state = 'active' AND query LIKE '%marker_of_the_test%' AND pid <> pg_backend_pid()`);

const waitingBackends = (): Promise<{ event: string }[]> =>
  db.query(statement`SELECT wait_event AS event FROM pg_stat_activity
               WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`);

test('tells how its connections are used, and how long callers wait and hold them', async () => {
  const told = { waited: [] as number[], used: [] as number[], failed: 0 };
  const watch = {
    waited: (ms: number) => void told.waited.push(ms),
    used: (ms: number) => void told.used.push(ms),
    failed: () => void told.failed++,
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
  expect(told.waited).toHaveLength(2);
  expect(told.used).toHaveLength(2);
  expect(told.used[0]).toBeGreaterThanOrEqual(140);
  expect(told.waited[1]).toBeGreaterThanOrEqual(140);
  const long = own.query(statement`SELECT pg_sleep(0.8)`);
  await expect(own.query(statement`SELECT 1`)).rejects.toMatchObject({ code: 'database.crowded' });
  expect(told.failed).toBe(1);
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

describe.each([false, true])('reading, with pipeline %s', (pipeline) => {
  let reader: Database;
  beforeAll(() => {
    reader = new Database({ connectionString: fresh.connectionString, max: 4, pipeline });
  });
  afterAll(() => reader.close());
  interface Options {
    readonly of?: Database;
    readonly signal?: AbortSignal;
    readonly timeoutMs?: number;
    readonly opening?: string;
  }
  /** Runs `work` in a read transaction. */
  function reading<T>(work: (transaction: ReadTransaction<unknown>) => Promise<T>, options: Options = {}): Promise<T> {
    const { of = reader, signal = new AbortController().signal, timeoutMs = 30_000, opening = 'SELECT 1' } = options;
    return of.reading({ opening, signal, timeoutMs }, work);
  }
  const chunksOf = (statement: Sql, options: Options = {}): Promise<string[][]> =>
    reading(async (tx) => {
      const chunks: string[][] = [];
      for await (const chunk of tx.rows(statement)) chunks.push(chunk);
      return chunks;
    }, options);
  const collect = async (statement: Sql, options: Options = {}): Promise<string[]> =>
    (await chunksOf(statement, options)).flat();
  const numbers = (count: number): Sql => statement`SELECT n::text AS row FROM generate_series(1, ${count}::int) AS n`;
  const bytes = (chunk: string[]): number => chunk.reduce((sum, row) => sum + row.length, 0);

  it('gives every row once and in order, in chunks cut by bytes', async () => {
    const chunks = await chunksOf(
      statement`SELECT rpad(n::text, 100) AS row FROM generate_series(1, ${20_000}::int) AS n`,
    );
    expect(chunks.flat().map((row) => row.trimEnd())).toEqual(Array.from({ length: 20_000 }, (_, n) => String(n + 1)));
    expect(chunks.length).toBeGreaterThan(4);
    expect(Math.max(...chunks.map(bytes))).toBeLessThan(chunkBytes + (128 << 10));
  });

  it('bounds a chunk also where rows become wide after many narrow ones', async () => {
    const chunks = await chunksOf(
      statement`SELECT repeat('x', CASE WHEN n > 3000 THEN 400000 ELSE 10 END) AS row FROM generate_series(1, 3200) AS n`,
    );
    expect(chunks.flat()).toHaveLength(3200);
    expect(Math.max(...chunks.map(bytes))).toBeLessThan(chunkBytes + 2 * 400_000);
  });

  it('reads nothing ahead while nobody asks for more', async () => {
    await reading(async (tx) => {
      const source = tx.rows(statement`SELECT repeat('x', 100000) AS row FROM generate_series(1, 1000)`);
      await source.next();
      // PostgreSQL waits until it can send: it does not compute the rest for nobody.
      await until(async () => (await waitingBackends())[0]?.event === 'ClientWrite', { what: 'a server that waits' });
      await source.return();
    });
  });

  it('gives nothing for no rows', async () => {
    expect(await collect(statement`SELECT 'x' AS row WHERE false`)).toEqual([]);
  });

  it('sees one snapshot with all its statements, the opening one included', async () => {
    await db.query({ text: 'DROP TABLE IF EXISTS counted; CREATE TABLE counted (n int)', values: [] });
    const seen = await reading(
      async (tx) => {
        const counts = [JSON.stringify(await tx.opening())];
        for (let round = 0; round < 2; round++) {
          await db.query(statement`INSERT INTO counted VALUES (1)`);
          counts.push((await tx.one(statement`SELECT count(*)::text AS row FROM counted`)) ?? '');
          for await (const [row] of tx.rows(statement`SELECT count(*)::text AS row FROM counted`))
            counts.push(row ?? '');
        }
        return counts;
      },
      { opening: 'SELECT count(*) AS n FROM counted' },
    );
    expect(seen).toEqual(['[{"n":0}]', '0', '0', '0', '0']);
  });

  it('cannot write', async () => {
    await expect(collect(statement`SELECT 'x' AS row FROM kept FOR UPDATE`)).rejects.toMatchObject({ code: '25006' });
  });

  it('ends when its reader leaves, and gives the connection back', async () => {
    for (let round = 0; round < 10; round++) {
      await reading(async (tx) => {
        for await (const chunk of tx.rows(numbers(1_000_000))) {
          expect(chunk[0]).toBe('1');
          break;
        }
      });
    }
    expect(await db.query(statement`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });

  it('gives the connection back at its end, before the work is over', async () => {
    const one = new Database({ connectionString: fresh.connectionString, max: 1 });
    try {
      await reading(
        async (transaction) => {
          expect(await transaction.one(numbers(1))).toBe('1');
          await transaction.end();
          expect(await one.query(statement`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
          await expect(transaction.one(numbers(1))).rejects.toThrow('has ended');
        },
        { of: one },
      );
    } finally {
      await one.close();
    }
  });

  it('cancels the statement in PostgreSQL within a second of the abort', async () => {
    const abort = new AbortController();
    const slow = collect(statement`SELECT pg_sleep(60)::text || 'marker_of_the_test' AS row`, { signal: abort.signal });
    slow.catch(() => undefined);
    await until(async () => (await busyBackends())[0]?.n === 1, { what: 'a statement that runs' });
    const began = Date.now();
    abort.abort(new Error('left'));
    await expect(slow).rejects.toThrow('left');
    // The error reaches us a moment before the backend counts as free.
    while ((await busyBackends())[0]?.n !== 0) await delay(10);
    expect(Date.now() - began).toBeLessThan(1000);
  });

  it('ends at the abort although its work never does, and gives the connection up', async () => {
    const one = new Database({ connectionString: fresh.connectionString, max: 1, applicationName: 'stalled reader' });
    const abort = new AbortController();
    try {
      let reads = 0;
      const stalled = reading(
        async (tx) => {
          for await (const chunk of tx.rows(
            statement`SELECT repeat('x', 100000) AS row FROM generate_series(1, 1000)`,
          )) {
            reads += chunk.length;
            await new Promise(() => undefined);
          }
        },
        { of: one, signal: abort.signal },
      );
      stalled.catch(() => undefined);
      await until(() => reads > 0);
      abort.abort(new Error('deadline'));
      await expect(stalled).rejects.toThrow('deadline');
      expect(await one.query(statement`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
      const others = (): Promise<{ n: number }[]> =>
        db.query(
          statement`SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'stalled reader' AND state <> 'idle'`,
        );
      await until(async () => (await others())[0]?.n === 0, { what: 'a connection that is given up' });
    } finally {
      await one.close();
    }
  });

  it('ends, as something to be asked again, where the server ends the connection, and keeps no connection', async () => {
    const one = new Database({ connectionString: fresh.connectionString, max: 1, applicationName: 'cut off' });
    const cut = (): Promise<unknown> =>
      db.query(statement`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut off'`);
    /** Until one more backend is seen to wait in its statement. A connection is not yet that, and cannot be cut off. */
    const running = (): Promise<void> =>
      until(
        async () => {
          const found = await db.query(statement`SELECT FROM pg_stat_activity
            WHERE application_name = 'cut off' AND state = 'active' AND wait_event = 'PgSleep'`);
          return found.length === 1;
        },
        { what: 'a statement that runs' },
      );
    /** Until the server has no such connection any more. */
    const gone = (): Promise<void> =>
      until(
        async () =>
          (await db.query(statement`SELECT FROM pg_stat_activity WHERE application_name = 'cut off'`)).length === 0,
      );
    const expected = { kind: 'busy', code: 'database.cut-off' };
    try {
      // While a statement runs, between two reads, and where the reader leaves just then.
      const reader = collect(statement`SELECT pg_sleep(60)::text AS row`, { of: one });
      reader.catch(() => undefined);
      await running();
      await cut();
      await expect(reader).rejects.toMatchObject(expected);
      const asking = one.query(statement`SELECT pg_sleep(60)`);
      asking.catch(() => undefined);
      await running();
      await cut();
      await expect(asking).rejects.toMatchObject(expected);
      const between = reading(
        async (tx) => {
          let chunks = 0;
          for await (const chunk of tx.rows(numbers(1_000_000))) {
            if (chunks++ > 0 || chunk.length === 0) continue;
            await cut();
            await gone();
          }
        },
        { of: one },
      );
      await expect(between).rejects.toMatchObject(expected);
      await reading(
        async (tx) => {
          for await (const chunk of tx.rows(numbers(1_000_000))) {
            expect(chunk.length).toBeGreaterThan(0);
            await cut();
            await gone();
            break;
          }
        },
        { of: one },
      );
      expect(await collect(statement`SELECT 'again' AS row`, { of: one })).toEqual(['again']);
    } finally {
      await one.close();
    }
  });

  it('cancels although every connection of the pool is in use', async () => {
    const abort = new AbortController();
    const slow = Array.from({ length: 4 }, () =>
      collect(statement`SELECT pg_sleep(60)::text AS row`, { signal: abort.signal }).catch((error: unknown) => error),
    );
    const aside = new Database({ connectionString: fresh.connectionString, max: 1 });
    const sleeping = (): Promise<unknown[]> =>
      aside.query(
        statement`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
      );
    await until(async () => (await sleeping()).length === 4, { what: 'four statements that run' });
    await aside.close();
    abort.abort();
    for (const error of await Promise.all(slow)) expect(error).toMatchObject({ name: 'AbortError' });
    expect(await db.query(statement`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });

  it('ends at its time limit with a Fault', async () => {
    const slow = collect(statement`SELECT pg_sleep(60)::text AS row`, { timeoutMs: 80 });
    await expect(slow).rejects.toMatchObject({ kind: 'timed-out', code: 'database.timeout' });
    expect(await db.query(statement`SELECT current_setting('statement_timeout') AS limit`)).toEqual([{ limit: '0' }]);
  });

  it('is ended by the server where its owner is silent for long', async () => {
    const limit = statement`SELECT current_setting('idle_in_transaction_session_timeout') AS row`;
    expect(await reading((tx) => tx.one(limit), { timeoutMs: 3_000 })).toBe('8s');
    expect(await db.query(statement`SELECT current_setting('idle_in_transaction_session_timeout') AS limit`)).toEqual([
      { limit: '0' },
    ]);
  });

  it('tells an error in the middle of the rows', async () => {
    const failing = collect(statement`SELECT (1 / (900 - n))::text AS row FROM generate_series(1, 1000) AS n`);
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await db.query(statement`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });
});

describe('listen', () => {
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
