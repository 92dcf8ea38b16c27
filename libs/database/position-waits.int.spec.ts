import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { until } from '../../test/support/until';
import { withoutIntervals } from '../../test/support/without-intervals';
import { Database } from './database';
import { Generations } from './generations';
import { migrateControlTables } from './migrate';
import { PositionWaits } from './position-waits';
import { advancePositions } from './positions';
import type { Sql } from './statement';
import { stays } from '../../test/support/until';

let fresh: FreshDatabase;
let db: Database;
let waits: PositionWaits;
let generation: number;
const next = [1, 1];

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
  db = new Database({ connectionString: fresh.connectionString, max: 4 });
  waits = new PositionWaits(db);
  await waits.open();
});
afterAll(async () => {
  await waits.close();
  await db.close();
  await fresh.drop();
});

async function apply(partition: number): Promise<void> {
  const from = next[partition] ?? 1;
  next[partition] = from + 1;
  await db.transaction(async (session) => {
    await advancePositions(session, generation, [{ partition, from, to: from + 1 }]);
    await session.query({ text: `SELECT pg_notify('nodeledger_applied', '{}')`, values: [] });
  });
}
const upcoming = (partition: number) => ({ partition, offset: next[partition] ?? 1 });

test('without tables there is nothing to have passed', async () => {
  expect(await waits.wait([{ partition: 7, offset: 1 }], 100)).toEqual({ end: 'late', applied: new Map() });
});

test('waits for the last of several positions', async () => {
  const starts = new Map([
    [0, 1],
    [1, 1],
  ]);
  const log = { logId: randomUUID(), starts };
  ({ generation } = await new Generations(db).create({ ddl: 'SELECT 1', projectionVersion: 1, log }));
  let ended = false;
  const waiting = waits.wait([upcoming(0), upcoming(1)], 5_000).finally(() => (ended = true));
  await apply(0);
  await stays(() => !ended, { forMs: 300, what: 'the wait for the other position' });
  await apply(1);
  expect(await waiting).toEqual({ end: 'passed', applied: new Map([...starts.keys()].map((p) => [p, 2])) });
});

test('a wait that is too long tells where the tables stand', async () => {
  expect(await waits.wait([{ partition: 1, offset: 99 }], 300)).toEqual({
    end: 'late',
    applied: new Map([
      [0, 2],
      [1, 2],
    ]),
  });
});

test('a partition that the log does not have is told at once', async () => {
  const before = performance.now();
  expect(await waits.wait([upcoming(0), { partition: 12, offset: 1 }], 5_000)).toMatchObject({ end: 'unknown' });
  expect(performance.now() - before).toBeLessThan(1_000);
});

/** Returns a database that counts its checks, and a function that returns their number. */
function counted(): { db: Database; looks: () => number } {
  let looks = 0;
  const counting = Object.create(db, {
    query: {
      value: (statement: Sql) => {
        looks += 1;
        return db.query(statement);
      },
    },
  }) as Database;
  return { db: counting, looks: () => looks };
}

test('one look serves all waits, and news that come during it are followed by one more', () =>
  withoutIntervals(async () => {
    const { db: counting, looks } = counted();
    const own = new PositionWaits(counting);
    await own.open();
    const position = upcoming(0);
    const waiting = Array.from({ length: 50 }, () => own.wait([position], 60_000));
    await until(() => looks() === 2);
    await stays(() => looks() === 2, { forMs: 100, what: 'the same number of looks' });
    await apply(0);
    expect((await Promise.all(waiting)).every(({ end }) => end === 'passed')).toBe(true);
    await own.close();
  }));

test('a single wait is one look, and where nobody waits, news are none', () =>
  withoutIntervals(async () => {
    const { db: counting, looks } = counted();
    const own = new PositionWaits(counting);
    await own.open();
    await apply(0);
    await stays(() => looks() === 0, { forMs: 200, what: 'no look' });
    const passed = { partition: 0, offset: (next[0] ?? 1) - 1 };
    expect(await own.wait([passed], 60_000)).toMatchObject({ end: 'passed' });
    await stays(() => looks() === 1, { forMs: 100, what: 'a single look' });
    await own.close();
  }));

test('all for whom there is no room share one look', async () => {
  const { db: counting, looks } = counted();
  const own = new PositionWaits(counting, { waits: 0, positions: 0 });
  const ends = await Promise.all(Array.from({ length: 20 }, () => own.wait([upcoming(0)], 60_000)));
  expect(ends.every(({ end }) => end === 'crowded')).toBe(true);
  expect(looks()).toBe(1);
});

test('it listens no longer than it is open', async () => {
  const listeners = async (): Promise<number> =>
    (
      await db.query({
        text: `SELECT FROM pg_stat_activity
               WHERE datname = current_database() AND query LIKE 'LISTEN%' AND application_name = 'listening'`,
        values: [],
      })
    ).length;
  const own = new Database({ connectionString: fresh.connectionString, max: 1, applicationName: 'listening' });
  const listening = new PositionWaits(own);
  await listening.open();
  expect(await listeners()).toBe(1);
  await listening.close();
  await until(async () => (await listeners()) === 0, { what: 'the end of listening' });
  await own.close();
});

test('it looks at intervals while somebody waits, and only then', () =>
  withoutIntervals(async () => {
    const own = new PositionWaits(db);
    await own.open();
    for (let round = 0; round < 2; round++) {
      const leaving = new AbortController();
      const waiting = [1, 2].map(() => own.wait([upcoming(0)], 60_000, { signal: leaving.signal }));
      expect(jest.getTimerCount()).toBe(1);
      leaving.abort();
      await Promise.all(waiting);
      expect(jest.getTimerCount()).toBe(0);
    }
    await own.close();
  }));

test('who is answered leaves nothing behind: no timer, no listener', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const leaving = Array.from({ length: 100 }, () => new AbortController());
  const before = timers();
  const left = leaving.map(({ signal }) => waits.wait([upcoming(0)], 60_000, { signal }));
  expect(timers()).toBeGreaterThanOrEqual(before + 100);
  for (const one of leaving) one.abort();
  await Promise.all(left);
  expect(timers()).toBeLessThan(before + 50);
  expect(leaving.flatMap(({ signal }) => getEventListeners(signal, 'abort'))).toEqual([]);
});

test('who leaves, and a service that stops, end waits', async () => {
  const leaving = new AbortController();
  const left = waits.wait([upcoming(0)], 60_000, { signal: leaving.signal });
  leaving.abort();
  expect(await left).toMatchObject({ end: 'given-up' });
  const own = new PositionWaits(db);
  await own.open();
  const stopped = own.wait([upcoming(0)], 60_000);
  await own.close();
  expect(await stopped).toMatchObject({ end: 'given-up' });
  expect(await own.wait([upcoming(0)], 60_000)).toMatchObject({ end: 'given-up' });
});

test('what waits at once is bounded, by waits and by positions', async () => {
  const own = new PositionWaits(db, { waits: 2, positions: 5 });
  await own.open();
  const leaving = new AbortController();
  const far = { partition: 0, offset: 9_999 };
  const first = own.wait([far, far, far], 60_000, { signal: leaving.signal });
  expect(await own.wait([far, far, far], 60_000)).toMatchObject({ end: 'crowded' });
  const second = own.wait([far], 60_000);
  expect(await own.wait([far], 60_000)).toMatchObject({ end: 'crowded' });
  leaving.abort();
  await first;
  // The end of a wait makes room for another wait.
  const third = own.wait([far, far, far, far], 60_000);
  await own.close();
  expect([await second, await third].map(({ end }) => end)).toEqual(['given-up', 'given-up']);
});

test('a wait that has ended makes room for one, and no more', async () => {
  const own = new PositionWaits(db, { waits: 2, positions: 100 });
  await own.open();
  const leaving = new AbortController();
  const far = [{ partition: 0, offset: 9_999 }];
  const first = own.wait(far, 60_000, { signal: leaving.signal });
  const others = [own.wait(far, 60_000)];
  leaving.abort();
  await first;
  others.push(own.wait(far, 60_000));
  expect(await own.wait(far, 60_000)).toMatchObject({ end: 'crowded' });
  await own.close();
  expect(await Promise.all(others)).toMatchObject([{ end: 'given-up' }, { end: 'given-up' }]);
});

test('one address has at most half of the waits and of their positions', async () => {
  const own = new PositionWaits(db, { waits: 4, positions: 8 });
  await own.open();
  const far = { partition: 0, offset: 9_999 };
  const leaving = new AbortController();
  const greedy = { address: 'greedy', signal: leaving.signal };
  const first = own.wait([far, far], 60_000, greedy);
  expect(await own.wait([far, far, far], 60_000, greedy)).toMatchObject({ end: 'crowded' });
  const second = own.wait([far], 60_000, greedy);
  expect(await own.wait([far], 60_000, greedy)).toMatchObject({ end: 'crowded' });
  const passed = { partition: 0, offset: (next[0] ?? 1) - 1 };
  expect(await own.wait([passed], 60_000, greedy)).toMatchObject({ end: 'passed' });
  const other = own.wait([far, far, far], 60_000, { address: 'other' });
  leaving.abort();
  expect(await Promise.all([first, second])).toMatchObject([{ end: 'given-up' }, { end: 'given-up' }]);
  const again = own.wait([far, far, far, far], 60_000, { address: 'greedy' });
  await own.close();
  expect(await Promise.all([other, again])).toMatchObject([{ end: 'given-up' }, { end: 'given-up' }]);
});

test('after a switch the tables that are live now decide', async () => {
  const position = upcoming(0);
  const generations = new Generations(db);
  const log = {
    logId: randomUUID(),
    starts: new Map([
      [0, position.offset + 1],
      [1, 1],
    ]),
  };
  const later = await generations.create({ ddl: 'SELECT 1', projectionVersion: 1, log, purpose: 'rebuild' });
  const own = new PositionWaits(db);
  await own.open();
  expect(await own.wait([position], 100)).toMatchObject({ end: 'late' });
  const waiting = own.wait([position], 30_000);
  await generations.switchTo(
    later,
    () => Promise.resolve(),
    undefined,
    () => true,
  );
  expect(await waiting).toMatchObject({ end: 'passed' });
  await own.close();
});
