import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { advancePositions, Database, Generations, migrateControlTables } from '#database';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { withoutIntervals } from '../../test/support/without-intervals';
import { Completions } from './completions';

let fresh: FreshDatabase;
let db: Database;
let completions: Completions;
let generation: number;
const next = [1, 1];

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
  db = new Database({ connectionString: fresh.connectionString, max: 4 });
  const log = {
    logId: randomUUID(),
    starts: new Map([
      [0, 1],
      [1, 1],
    ]),
  };
  ({ generation } = await new Generations(db).create({ ddl: 'SELECT 1', projectionVersion: 1, log }));
  completions = new Completions(db);
  await completions.open();
});
afterAll(async () => {
  await completions.close();
  await db.close();
  await fresh.drop();
});

/**
 * Does in one transaction what the projector does: writes the position, a dead letter if `error` is given, and the
 * notification.
 */
async function apply(partition: number, options: { error?: string; notify?: boolean } = {}): Promise<void> {
  const from = next[partition] ?? 1;
  next[partition] = from + 1;
  await db.transaction(async (session) => {
    await advancePositions(session, generation, [{ partition, from, to: from + 1 }]);
    if (options.error !== undefined) {
      await session.query({
        text: `INSERT INTO nodeledger.dead_letters (log_partition, log_offset, uuid, command, version, certname,
                 received_at, headers, encoding, payload, error, exception, attempts)
               VALUES ($1, $2, $3, 'replace facts', 5, 'n', now(), '{}', 'identity', '', $4, $5, 1)`,
        values: [partition, from, randomUUID(), options.error, `wire.bad: ${options.error}`],
      });
    }
    if (options.notify !== false) {
      await session.query({ text: `SELECT pg_notify('nodeledger_applied', '{}')`, values: [] });
    }
  });
}
const upcoming = (partition: number) => ({ partition, offset: next[partition] ?? 1 });

test('a wait ends with the notification: it needs no look at intervals', () =>
  withoutIntervals(async () => {
    const waiting = completions.wait(upcoming(0), 30_000);
    // The pause is longer than the first check usually takes. If the check comes later, the wait ends, too.
    await delay(50);
    await apply(0);
    expect(await waiting).toEqual({ processed: true, rejection: undefined });
  }));

test('a position that was passed before the wait began counts', async () => {
  const position = upcoming(0);
  await apply(0);
  expect(await completions.wait(position, 5_000)).toEqual({ processed: true, rejection: undefined });
});

test('a lost notification is made up for by looking', async () => {
  const waiting = completions.wait(upcoming(1), 5_000);
  await delay(50);
  await apply(1, { notify: false });
  expect(await waiting).toMatchObject({ processed: true });
});

test('other partitions do not count; a wait ends at its time-out', async () => {
  const waiting = completions.wait(upcoming(0), 400);
  await apply(1);
  expect(await waiting).toEqual({ processed: false });
});

test('a rejected command is told with its reason, its neighbour is not', async () => {
  const bad = upcoming(0);
  const waiting = completions.wait(bad, 5_000);
  const good = completions.wait({ ...bad, offset: bad.offset + 1 }, 5_000);
  await apply(0, { error: 'no values' });
  await apply(0);
  expect(await waiting).toEqual({
    processed: true,
    rejection: { error: 'no values', exception: 'wire.bad: no values' },
  });
  expect(await good).toEqual({ processed: true, rejection: undefined });
});

test('of several rejected commands the first one given is told', async () => {
  const at = upcoming(0);
  const later = { ...at, offset: at.offset + 1 };
  for (const error of ['first', 'second']) await apply(0, { error });
  const rejected = (error: string) => ({ processed: true, rejection: { error, exception: `wire.bad: ${error}` } });
  expect(await completions.waitForAll([at, later], 5_000)).toEqual(rejected('first'));
  expect(await completions.waitForAll([later, at], 5_000)).toEqual(rejected('second'));
});

test('many waits end together', async () => {
  const position = upcoming(1);
  const waiting = Array.from({ length: 200 }, () => completions.wait(position, 5_000));
  await apply(1);
  expect((await Promise.all(waiting)).every(({ processed }) => processed)).toBe(true);
});

test('a client that leaves, and a service that stops, end waits', async () => {
  const leaving = new AbortController();
  const left = completions.wait(upcoming(0), 60_000, { signal: leaving.signal });
  leaving.abort();
  expect(await left).toEqual({ processed: false });
  const own = new Completions(db);
  await own.open();
  const stopped = own.wait(upcoming(0), 60_000);
  await own.close();
  expect(await stopped).toEqual({ processed: false });
  expect(await own.wait(upcoming(0), 60_000)).toEqual({ processed: false });
});

test('who comes when a thousand wait is told at once that it is not processed', async () => {
  const own = new Completions(db);
  await own.open();
  const waiting = Array.from({ length: 1_000 }, () => own.wait(upcoming(0), 60_000));
  expect(await own.wait(upcoming(0), 60_000)).toEqual({ processed: false });
  await own.close();
  await Promise.all(waiting);
});
