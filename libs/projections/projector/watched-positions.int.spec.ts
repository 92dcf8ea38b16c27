import { advancePositions, type Database, type Sql } from '#database';
import { ProjectionBench } from '../../../test/support/projection';
import type { LogRecord } from '#log';
import { WatchedPositions } from './watched-positions';

let bench: ProjectionBench;
let reads: number;
let setbacks: number;
let failure: Error | undefined;
let watched: WatchedPositions;

beforeEach(async () => {
  bench = await ProjectionBench.open(2);
  [reads, setbacks, failure] = [0, 0, undefined];
  const { generation, logId } = bench;
  const db = Object.create(bench.db, {
    query: {
      value: (statement: Sql) => {
        reads += 1;
        return failure === undefined ? bench.db.query(statement) : Promise.reject(failure);
      },
    },
  }) as Database;
  watched = new WatchedPositions({ db, generation, logId }, () => (setbacks += 1));
});
afterEach(() => bench.close());

const move = (partition: number, from: number, to: number): Promise<unknown> =>
  bench.db.transaction((session) => advancePositions(session, bench.generation.generation, [{ partition, from, to }]));
const at = (...offsets: number[]): Map<number, number> =>
  new Map(offsets.map((offset, partition) => [partition, offset]));
const record = (partition: number, offset: number): LogRecord => ({ partition, offset }) as LogRecord;

test('are what the generation holds', async () => {
  await move(1, 1, 4);
  expect(await watched.read()).toEqual(at(1, 4));
});

test('of another log, or of a generation that is gone, are refused', async () => {
  await bench.rows('UPDATE nodeledger.positions SET log_id = gen_random_uuid() WHERE log_partition = 1');
  await expect(watched.read()).rejects.toMatchObject({ kind: 'broken', code: 'projections.foreign-log' });
  await bench.rows('DELETE FROM nodeledger.positions');
  await expect(watched.read()).rejects.toMatchObject({ kind: 'conflict', code: 'database.retired' });
});

/** Runs the work with a clock that only `pass` advances. */
async function withOwnTime(work: (pass: (ms: number) => void) => Promise<void>): Promise<void> {
  const others = ['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;
  const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
  jest.useFakeTimers({ doNotFake: [...others, ...timers] });
  try {
    await work((ms) => void jest.advanceTimersByTime(ms));
  } finally {
    jest.useRealTimers();
  }
}

test('are read again when the time is over, and not before', () =>
  withOwnTime(async (pass) => {
    pass(5_000);
    await watched.read();
    await watched.refreshAfter(1_000);
    pass(999);
    await watched.refreshAfter(1_000);
    expect(reads).toBe(1);
    pass(1);
    await watched.refreshAfter(1_000);
    expect(reads).toBe(2);
  }));

test('cannot be read while the database is away: that is no error, and not tried again at once', () =>
  withOwnTime(async (pass) => {
    await watched.read();
    pass(5_000);
    failure = Object.assign(new Error('shutting down'), { code: '57P03' });
    await watched.refreshAfter(1_000);
    expect(reads).toBe(2);
    await watched.refreshAfter(1_000);
    expect(reads).toBe(2);
    pass(5_000);
    failure = new TypeError('a mistake of ours');
    await expect(watched.refreshAfter(1_000)).rejects.toThrow('a mistake of ours');
  }));

test('that are low when they are seen for the first time tell of nothing', async () => {
  await bench.rows('UPDATE nodeledger.positions SET next_offset = 0');
  expect(await watched.read()).toEqual(at(0, 0));
  expect([watched.setbacks, setbacks]).toEqual([0, 0]);
});

test('that are lower than when last seen, read or committed, tell that commits were lost, once each time', async () => {
  await watched.read();
  watched.moved([record(0, 1), record(0, 2), record(1, 1)]);
  expect(await watched.read()).toEqual(at(1, 1));
  expect([watched.setbacks, setbacks]).toEqual([1, 1]);
  await watched.read();
  await move(0, 1, 9);
  await watched.read();
  expect([watched.setbacks, setbacks]).toEqual([1, 1]);
  await bench.rows('UPDATE nodeledger.positions SET next_offset = 8 WHERE log_partition = 0');
  await watched.read();
  expect([watched.setbacks, setbacks]).toEqual([2, 2]);
});

test('that are where the commits have brought them tell of nothing', async () => {
  await watched.read();
  await move(0, 1, 3);
  watched.moved([record(0, 1), record(0, 2)]);
  await watched.read();
  expect(watched.setbacks).toBe(0);
});

test('at which a batch is fenced a fourth time in a row have no record in the log', async () => {
  const cause = new Error('fenced');
  for (let times = 0; times < 3; times++) await watched.refuseStandstill(cause);
  await expect(watched.refuseStandstill(cause)).rejects.toMatchObject({
    kind: 'broken',
    code: 'projections.no-such-place',
    details: { positions: '0-1 1-1' },
    cause,
  });
});

test('that have moved, or from which something was committed, may be fenced again', async () => {
  const fenced = (): Promise<void> => watched.refuseStandstill(new Error('fenced'));
  for (let times = 0; times < 3; times++) await fenced();
  await move(0, 1, 2);
  for (let times = 0; times < 3; times++) await fenced();
  watched.moved([record(0, 1)]);
  for (let times = 0; times < 3; times++) await fenced();
  await expect(fenced()).rejects.toMatchObject({ code: 'projections.no-such-place' });
});
