import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { until } from '../../test/support/until';
import { textCollation } from './collation';
import {
  advancePositions,
  Database,
  Generations,
  migrateControlTables,
  positionsOf,
  statement,
  type GenerationDefinition,
} from './index';

let fresh: FreshDatabase;
let db: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = new Database({ connectionString: fresh.connectionString, max: 6 });
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

const logId = '11111111-2222-4333-8444-555555555555';
const definition = (over: Partial<GenerationDefinition> = {}): GenerationDefinition => ({
  ddl: 'CREATE TABLE {schema}.things (name text COLLATE {collation}); CREATE INDEX ON {schema}.things (name);',
  projectionVersion: 1,
  log: {
    logId,
    starts: new Map([
      [0, 1],
      [1, 1],
      [2, 1],
    ]),
  },
  ...over,
});

describe('migrateControlTables', () => {
  it('makes the tables once, however many processes start at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrateControlTables(fresh.connectionString)));
    await migrateControlTables(fresh.connectionString);
    expect(await db.query(statement`SELECT name FROM nodeledger.migrations ORDER BY id`)).toEqual([
      { name: 'Release0000000000001' },
      { name: 'LogPieces0000000000002' },
      { name: 'Sessions0000000000003' },
      { name: 'Subscriptions0000000000004' },
    ]);
    expect(await db.query(statement`SELECT count(*) AS n FROM nodeledger.log_records`)).toEqual([{ n: 0 }]);
  });

  it('refuses a database of a build before 0.2.0, says how to move its data, and does not change it', async () => {
    const other = await freshDatabase();
    const own = new Database({ connectionString: other.connectionString, max: 1 });
    const tables = (): Promise<unknown> =>
      own.query(statement`SELECT tablename FROM pg_tables WHERE schemaname = 'nodeledger'`);
    try {
      await own.query({
        text: `CREATE SCHEMA nodeledger;
               CREATE TABLE nodeledger.migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);
               INSERT INTO nodeledger.migrations (timestamp, name) VALUES
                 (1, 'ControlTables0000000000001'), (2, 'DeadLetterStates0000000000002')`,
        values: [],
      });
      const before = await tables();
      await expect(migrateControlTables(other.connectionString)).rejects.toMatchObject({
        kind: 'conflict',
        code: 'database.unreleased',
        hint: expect.stringMatching(/nodeledger export.*nodeledger import/) as string,
      });
      expect(await tables()).toEqual(before);
    } finally {
      await own.close();
      await other.drop();
    }
  });

  it.each([
    ['130014', 'refused'],
    ['140000', 'taken'],
  ])('PostgreSQL of version %s is %s', async (version, outcome) => {
    // Compares with the server. A function in a schema that is named first hides the function of the system.
    await db.query({
      text: `DROP SCHEMA IF EXISTS disguise CASCADE; CREATE SCHEMA disguise;
        CREATE FUNCTION disguise.current_setting(name text) RETURNS text LANGUAGE sql AS $$ SELECT
          CASE name WHEN 'server_version_num' THEN '${version}' ELSE pg_catalog.current_setting(name) END $$`,
      values: [],
    });
    const disguised = new URL(fresh.connectionString);
    disguised.searchParams.set('options', '-c search_path=disguise,pg_catalog');
    const found = await migrateControlTables(disguised.href).then(
      () => 'taken',
      (error: unknown) => error,
    );
    if (outcome === 'taken') expect(found).toBe('taken');
    else expect(found).toMatchObject({ kind: 'broken', code: 'database.too-old', hint: 'Use PostgreSQL 14 or later.' });
  });

  it('refuses a database whose encoding is not UTF-8', async () => {
    const name = `latin_${Date.now()}`;
    await db.query({
      text: `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`,
      values: [],
    });
    const url = new URL(fresh.connectionString);
    url.pathname = `/${name}`;
    try {
      await expect(migrateControlTables(url.href)).rejects.toMatchObject({ code: 'database.encoding' });
    } finally {
      await db.query({ text: `DROP DATABASE ${name}`, values: [] });
    }
  });
});

describe('textCollation', () => {
  it('orders by code point and knows Unicode letters', async () => {
    const collation = await textCollation(db);
    const order = await db.query<{ t: string }>({
      text: `SELECT t FROM unnest(ARRAY['b', 'é', 'a', 'Z', '😀', 'Ａ']) AS t ORDER BY t COLLATE ${collation}`,
      values: [],
    });
    expect(order.map((row) => row.t)).toEqual(['Z', 'a', 'b', 'é', 'Ａ', '😀']);
    const [known] = await db.query({
      text: `SELECT lower('ÄÉ' COLLATE ${collation}) AS lower, 'é' COLLATE ${collation} ~ '^\\w$' AS letter`,
      values: [],
    });
    expect(known).toEqual({ lower: 'äé', letter: true });
  });
});

describe('Generations', () => {
  it('makes the first one live, once for all who race', async () => {
    expect(await new Generations(db).live()).toBeUndefined();
    const made = await Promise.all([1, 2, 3].map(() => new Generations(db).create(definition())));
    expect(made).toEqual(Array(3).fill({ generation: 1, schema: 'gen_1', projectionVersion: 1 }));
    expect(await new Generations(db).live()).toEqual(made[0]);
    expect(await db.query(statement`SELECT count(*) AS n FROM gen_1.things`)).toEqual([{ n: 0 }]);
    expect(await positionsOf(db, 1)).toEqual(
      new Map([0, 1, 2].map((partition) => [partition, { logId, nextOffset: 1 }])),
    );
  });

  it('builds a further one beside it for a rebuild, or one to be thrown away', async () => {
    const generations = new Generations(db);
    expect(await generations.create(definition())).toMatchObject({ generation: 1 });
    expect(await generations.create(definition({ projectionVersion: 2 }))).toMatchObject({ generation: 1 });
    expect(await generations.create(definition({ purpose: 'rebuild' }))).toMatchObject({
      generation: 2,
      schema: 'gen_2',
    });
    expect(await generations.create(definition({ purpose: 'scratch' }))).toMatchObject({ generation: 3 });
    expect(await generations.live()).toMatchObject({ generation: 1 });
    expect((await generations.list()).map(({ state }) => state)).toEqual(['live', 'building', 'scratch']);
  });

  it('drops any but the live one, tables and positions', async () => {
    const generations = new Generations(db);
    await generations.drop({ generation: 3, schema: 'gen_3', projectionVersion: 1 });
    await generations.drop({ generation: 1, schema: 'gen_1', projectionVersion: 1 });
    expect((await generations.list()).map(({ generation }) => generation)).toEqual([1, 2]);
    expect(await positionsOf(db, 3)).toEqual(new Map());
    expect(await db.query(statement`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'gen%' ORDER BY 1`)).toEqual([
      { nspname: 'gen_1' },
      { nspname: 'gen_2' },
    ]);
  });

  it('leaves nothing behind where the tables cannot be made', async () => {
    const failing = new Generations(db).create(
      definition({ ddl: 'CREATE TABLE {schema}.t (n nonsense)', projectionVersion: 9, purpose: 'scratch' }),
    );
    await expect(failing).rejects.toMatchObject({ code: '42704' });
    expect(await db.query(statement`SELECT FROM nodeledger.generations WHERE projection_version = 9`)).toEqual([]);
  });

  const second = { generation: 2, schema: 'gen_2', projectionVersion: 1 };

  it('does not switch to one that is behind', async () => {
    await db.transaction((session) => advancePositions(session, 1, [{ partition: 1, from: 1, to: 3 }]));
    const switching = new Generations(db).switchTo(second, async () => undefined);
    await expect(switching).rejects.toMatchObject({ kind: 'conflict', code: 'database.behind' });
    expect(await new Generations(db).live()).toMatchObject({ generation: 1 });
  });

  it('holds up the live one during the switch; other processes see it at once', async () => {
    const generations = new Generations(db);
    expect(await generations.live()).toMatchObject({ generation: 1 });
    const late: Promise<unknown>[] = [];
    await new Generations(db).switchTo(second, async (live) => {
      expect(live.get(1)).toEqual({ logId, nextOffset: 3 });
      // This transaction waits for the switch, and then finds that its generation is retired.
      late.push(
        db
          .transaction((session) => advancePositions(session, 1, [{ partition: 0, from: 1, to: 2 }]))
          .then(() => db.transaction((session) => advancePositions(session, 1, [{ partition: 0, from: 2, to: 3 }])))
          .catch((error: unknown) => error),
      );
      await db.transaction((session) => advancePositions(session, 2, [{ partition: 1, from: 1, to: 3 }]));
    });
    expect(await Promise.all(late)).toMatchObject([{ kind: 'conflict', code: 'database.retired' }]);
    expect(await generations.live()).toMatchObject({ generation: 2 });
  });
});

describe('advancePositions', () => {
  const move = (from: number, to: number) => [{ partition: 1, from, to }];
  const lockWaits = async (): Promise<number> => {
    const [row] = await db.query<{ n: number }>(statement`SELECT count(*) AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    return row?.n ?? 0;
  };

  it('moves what is where the caller left it', async () => {
    await db.transaction((session) => advancePositions(session, 2, [...move(3, 5), { partition: 0, from: 1, to: 2 }]));
    const positions = await positionsOf(db, 2);
    expect([0, 1, 2].map((partition) => positions.get(partition)?.nextOffset)).toEqual([2, 5, 1]);
  });

  it('refuses all where one is elsewhere', async () => {
    const stale = db.transaction((session) =>
      advancePositions(session, 2, [{ partition: 2, from: 1, to: 9 }, ...move(1, 7)]),
    );
    await expect(stale).rejects.toMatchObject({ kind: 'conflict', code: 'database.fenced' });
    expect((await positionsOf(db, 2)).get(2)?.nextOffset).toBe(1);
  });

  it.each(['retired', 'point'])('fills no tables that are %s', async (state) => {
    await db.query(statement`UPDATE nodeledger.generations SET state = ${state} WHERE generation = 1`);
    const [before] = await db.query(
      statement`SELECT next_offset FROM nodeledger.positions WHERE generation = 1 AND log_partition = 2`,
    );
    const filling = db.transaction((session) => advancePositions(session, 1, [{ partition: 2, from: 1, to: 2 }]));
    await expect(filling).rejects.toMatchObject({ kind: 'conflict', code: 'database.retired' });
    expect(before).toEqual({ next_offset: 1 });
    expect((await positionsOf(db, 1)).get(2)?.nextOffset).toBe(1);
  });

  it('are read without a wait for who moves them, unless they are to be locked', async () => {
    const hasty = new Database({ connectionString: fresh.connectionString, max: 1, statementTimeoutMs: 2_000 });
    try {
      await db.transaction(async (session) => {
        const held = await positionsOf(session, 2, true);
        expect(await positionsOf(hasty, 2)).toEqual(held);
        await expect(positionsOf(hasty, 2, true)).rejects.toMatchObject({ code: 'database.timeout' });
      });
    } finally {
      await hasty.close();
    }
  });

  it('knows a generation that is gone from one that another projector fills', async () => {
    const filling = db.transaction((session) => advancePositions(session, 99, [{ partition: 0, from: 1, to: 2 }]));
    await expect(filling).rejects.toMatchObject({ kind: 'conflict', code: 'database.retired' });
  });

  it('moves nothing where nothing is given, also in tables that are gone', async () => {
    await db.transaction((session) => advancePositions(session, 99, []));
  });

  it('locks the partitions in their order, whatever the order of the moves: two projectors cannot block each other', async () => {
    // Moves the row of partition 0 after the other rows.
    await db.query(
      statement`UPDATE nodeledger.positions SET log_id = log_id WHERE generation = 2 AND log_partition = 0`,
    );
    const at = await positionsOf(db, 2);
    const still = (partition: number) => {
      const offset = at.get(partition)?.nextOffset ?? 0;
      return { partition, from: offset, to: offset };
    };
    let waiting: Promise<unknown> | undefined;
    await db.transaction(async (session) => {
      await session.query(
        statement`SELECT FROM nodeledger.positions WHERE generation = 2 AND log_partition = 0 FOR UPDATE`,
      );
      waiting = db.transaction(async (other) => {
        // Makes PostgreSQL read the rows in the order of the table, and in the order of the moves.
        for (const way of ['mergejoin', 'hashjoin', 'indexscan', 'indexonlyscan', 'bitmapscan'])
          await other.query({ text: `SET LOCAL enable_${way} = off`, values: [] });
        await advancePositions(other, 2, [still(2), still(1), still(0)]);
      });
      await until(async () => (await lockWaits()) > 0, { what: 'a projector that waits' });
      const free = await db.query(statement`SELECT FROM nodeledger.positions
        WHERE generation = 2 AND log_partition IN (1, 2) FOR UPDATE SKIP LOCKED`);
      expect(free).toHaveLength(2);
    });
    await waiting;
  });

  it('lets only one of two projectors win', async () => {
    const race = await Promise.allSettled(
      [8, 9].map((to) => db.transaction((session) => advancePositions(session, 2, move(5, to)))),
    );
    expect(race.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
