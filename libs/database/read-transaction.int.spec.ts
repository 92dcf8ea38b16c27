import { setTimeout as delay } from 'node:timers/promises';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { Database, type ReadTransaction, type Sql, statement } from './index';
import { chunkBytes } from './row-reading';
import { until } from '../../test/support/until';

let fresh: FreshDatabase;
let db: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = new Database({ connectionString: fresh.connectionString, max: 4 });
  await db.query({ text: 'CREATE TABLE written (n int)', values: [] });
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
      // PostgreSQL waits until it can send, and does not compute further rows.
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
    await expect(collect(statement`SELECT 'x' AS row FROM written FOR UPDATE`)).rejects.toMatchObject({
      code: '25006',
    });
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
    // The error arrives a moment before the backend is idle.
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

  it('closes the connection at the abort, although nobody reads the rows on it', async () => {
    const writing = (): Promise<{ pid: number }[]> =>
      db.query(statement`SELECT pid FROM pg_stat_activity
                   WHERE datname = current_database() AND wait_event = 'ClientWrite' AND pid <> pg_backend_pid()`);
    let pid = 0;
    const leaving = new AbortController();
    const left = reading(
      async (tx) => {
        await tx.rows(statement`SELECT repeat('x', 100000) AS row FROM generate_series(1, 1000)`).next();
        await until(async () => (pid = (await writing())[0]?.pid ?? 0) !== 0);
        leaving.abort(new Error('the reader has left'));
        await new Promise(() => undefined);
      },
      { signal: leaving.signal },
    );
    await expect(left).rejects.toThrow('the reader has left');
    const isThere = async (): Promise<boolean> =>
      (await db.query(statement`SELECT FROM pg_stat_activity WHERE pid = ${pid}::int`)).length > 0;
    await until(async () => !(await isThere()), { withinMs: 5_000 });
  });

  it('ends, as something to be asked again, where the server ends the connection, and keeps no connection', async () => {
    const one = new Database({ connectionString: fresh.connectionString, max: 1, applicationName: 'cut off' });
    const cut = (): Promise<unknown> =>
      db.query(statement`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut off'`);
    /** Waits until one more backend runs its statement. Before that, the statement cannot be cancelled. */
    const running = (): Promise<void> =>
      until(
        async () => {
          const found = await db.query(statement`SELECT FROM pg_stat_activity
            WHERE application_name = 'cut off' AND state = 'active' AND wait_event = 'PgSleep'`);
          return found.length === 1;
        },
        { what: 'a statement that runs' },
      );
    /** Waits until the server has no such connection any more. */
    const gone = (): Promise<void> =>
      until(
        async () =>
          (await db.query(statement`SELECT FROM pg_stat_activity WHERE application_name = 'cut off'`)).length === 0,
      );
    const expected = { kind: 'busy', code: 'database.cut-off' };
    try {
      // Aborts while a statement runs, between two reads, and while the reader stops.
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

describe('plans that are kept', () => {
  let keeper: Database;
  beforeAll(() => {
    keeper = new Database({ connectionString: fresh.connectionString, max: 1, pipeline: true, keepPlans: true });
  });
  afterAll(() => keeper.close());
  const ask = (sql: Sql): Promise<string | undefined> =>
    keeper.reading({ opening: 'SELECT 1', signal: new AbortController().signal, timeoutMs: 30_000 }, (tx) =>
      tx.one(sql),
    );
  const prepared = async (text: string): Promise<boolean> => {
    const like = statement`SELECT count(*)::text AS row FROM pg_prepared_statements WHERE statement = ${text}`;
    return (await ask(like)) === '1';
  };

  it('prepares a statement that comes again', async () => {
    const sql: Sql = { text: 'SELECT ($1::int + 1)::text AS row', values: [1], canBePrepared: true };
    expect(await ask(sql)).toBe('2');
    expect(await prepared(sql.text)).toBe(false);
    for (let value = 2; value < 12; value++) expect(await ask({ ...sql, values: [value] })).toBe(String(value + 1));
    expect(await prepared(sql.text)).toBe(true);
  });

  it('prepares no other statement', async () => {
    const sql: Sql = { text: 'SELECT ($1::int + 2)::text AS row', values: [1] };
    for (let time = 0; time < 5; time++) expect(await ask(sql)).toBe('3');
    expect(await prepared(sql.text)).toBe(false);
  });

  it('prepares a statement again after its table has been replaced, and after an error', async () => {
    const sql: Sql = { text: 'SELECT max(n)::text AS row FROM kept', values: [], canBePrepared: true };
    for (const n of [1, 2]) {
      await keeper.query({ text: `CREATE TABLE kept AS SELECT ${n} AS n`, values: [] });
      for (let time = 0; time < 7; time++) expect(await ask(sql)).toBe(String(n));
      await keeper.query({ text: 'DROP TABLE kept', values: [] });
      for (let time = 0; time < 3; time++) await expect(ask(sql)).rejects.toMatchObject({ code: '42P01' });
    }
  });

  it('goes on after an opening statement that failed', async () => {
    const opening = 'SELECT n FROM late';
    const open = (): Promise<readonly unknown[]> =>
      keeper.reading({ opening, signal: new AbortController().signal, timeoutMs: 30_000 }, (tx) => tx.opening());
    for (let time = 0; time < 2; time++) await expect(open()).rejects.toMatchObject({ code: '42P01' });
    await keeper.query({ text: 'CREATE TABLE late AS SELECT 5 AS n', values: [] });
    for (let time = 0; time < 3; time++) expect(await open()).toEqual([{ n: 5 }]);
    await keeper.query({ text: 'ALTER TABLE late RENAME TO later', values: [] });
    await expect(open()).rejects.toMatchObject({ code: '42P01' });
    await keeper.query({ text: 'ALTER TABLE later RENAME TO late', values: [] });
    expect(await open()).toEqual([{ n: 5 }]);
  });
});
