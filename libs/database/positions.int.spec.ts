import { randomUUID } from 'node:crypto';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { advancePositions, Database, Generations, migrateControlTables, positionsOf, raiseSharedEpoch } from './index';

const logId = randomUUID();
const starts = new Map([
  [0, 1],
  [1, 4],
]);
let fresh: FreshDatabase;
let db: Database;
let generation: number;

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
  db = new Database({ connectionString: fresh.connectionString, max: 3 });
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});
beforeEach(async () => {
  const made = await new Generations(db).create({
    ...{ ddl: 'SELECT 1', projectionVersion: 1, log: { logId, starts }, purpose: 'scratch' },
  });
  generation = made.generation;
});

const advance = (from: number, to: number, epoch?: string): Promise<string | undefined> =>
  db.transaction((session) => advancePositions(session, generation, [{ partition: 0, from, to }], epoch));
const offsets = async (): Promise<unknown[]> =>
  [...(await positionsOf(db, generation))].map(([partition, { nextOffset }]) => [partition, nextOffset]);

test('move from where the caller left them, and from nowhere else', async () => {
  await advance(1, 3);
  await expect(advance(1, 3)).rejects.toMatchObject({ kind: 'conflict', code: 'database.fenced' });
  expect(await offsets()).toEqual([
    [0, 3],
    [1, 4],
  ]);
});

test('bring the epoch of shared rows along, and move only where it is the given one', async () => {
  const epoch = await advance(1, 2);
  expect(epoch).toMatch(/^[0-9a-f-]{36}$/);
  expect(await advance(2, 3, epoch)).toBe(epoch);
  await db.transaction((session) => raiseSharedEpoch(session, generation));
  await expect(advance(3, 4, epoch)).rejects.toMatchObject({
    kind: 'conflict',
    code: 'database.shared-rows-collected',
  });
  expect((await offsets())[0]).toEqual([0, 3]);
  const later = await advance(3, 4);
  expect(later).not.toBe(epoch);
  // A wrong position is reported before a wrong epoch.
  await expect(advance(1, 2, later)).rejects.toMatchObject({ code: 'database.fenced' });
});

test.each(['retired', 'point', 'dropped'])('stay where the tables are %s', async (state) => {
  await db.query({
    text: 'UPDATE nodeledger.generations SET state = $2 WHERE generation = $1',
    values: [generation, state],
  });
  await expect(advance(1, 2)).rejects.toMatchObject({ kind: 'conflict', code: 'database.retired' });
  await db.query({ text: 'DELETE FROM nodeledger.positions WHERE generation = $1', values: [generation] });
  await db.query({ text: 'DELETE FROM nodeledger.generations WHERE generation = $1', values: [generation] });
  await expect(advance(1, 2)).rejects.toMatchObject({ kind: 'conflict', code: 'database.retired' });
});
