import { Database } from '#database';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres';
import { ClockGuard } from './clock-guard';

let fresh: FreshDatabase;
let db: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = new Database({ connectionString: fresh.connectionString, max: 1 });
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

const lookWith = async (aheadMs: number): Promise<string | undefined> => {
  const { fault } = await new ClockGuard(db, { now: () => Date.now() + aheadMs }).check();
  return fault?.code;
};

it.each([
  [0, undefined],
  [50_000, undefined],
  [-50_000, undefined],
  [70_000, 'admin.clock-skew'],
  [-70_000, 'admin.clock-skew'],
])('a clock %d ms ahead: %s', async (aheadMs, code) => {
  expect(await lookWith(aheadMs)).toBe(code);
});

it('removes nothing while the database takes so long to return its time that the clocks cannot be compared', async () => {
  let elapsed = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (elapsed += 130_000));
  const checks: unknown[] = [];
  try {
    const guard = new ClockGuard(db, { onCheck: (fault) => void checks.push(fault) });
    await expect(guard.agreedTime()).rejects.toMatchObject({ kind: 'busy', code: 'admin.clock-unknown' });
  } finally {
    clock.mockRestore();
  }
  // The result of the previous check stays valid.
  expect(checks).toEqual([]);
});

it('waits for a connection without taking that for a round trip', async () => {
  const busy = db.query({ text: 'SELECT pg_sleep(1)', values: [] });
  const { fault } = await new ClockGuard(db).check();
  await busy;
  expect(fault).toBeUndefined();
});
