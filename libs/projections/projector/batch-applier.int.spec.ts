import { Database, type Session } from '#database';
import { defaultLimits } from '#limits';
import type { LogRecord } from '#log';
import { limitNode } from '../../../test/support/age-limits';
import { catalog, resource } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { BatchApplier } from './batch-applier';
import type { ProjectorOptions } from './projector-options';
import { SuspectRecords } from './suspects';

let bench: ProjectionBench;
beforeAll(async () => {
  bench = await ProjectionBench.open(1);
  await bench.refuseResource('/bad');
});
afterAll(() => bench.close());

/** Submits new catalogs of several nodes, some of them invalid. */
async function submitted(count: number, bad: readonly number[] = []): Promise<LogRecord[]> {
  const reader = bench.log.reader(await bench.log.ends());
  for (let n = 0; n < count; n++) {
    const certname = `node-${n}`;
    await bench.submit('replace catalog', certname, {
      payload: catalog(certname, [resource(bad.includes(n) ? '/bad' : `/${Math.random()}`)], [], {
        producer_timestamp: new Date(Date.UTC(2026, 0, 1) + (clock += 1_000)).toISOString(),
      }),
    });
  }
  const records = await reader.next({ maxRecords: 100, maxBytes: 1 << 20 });
  await reader.close();
  expect(records).toHaveLength(count);
  return records;
}
let clock = 0;

interface Calls {
  readonly batches: number[];
  readonly applied: number[];
  readonly letters: string[];
  readonly committed: number[];
  readonly waits: number[];
}

function applier(most: number, over: Partial<ProjectorOptions> = {}): { applier: BatchApplier; calls: Calls } {
  const calls: Calls = { batches: [], applied: [], letters: [], committed: [], waits: [] };
  const { db, log, logId, generation } = bench;
  const made = new BatchApplier(
    {
      ...{ db, log, logId, generation, maxCommandBytes: 1 << 20, limits: defaultLimits },
      onBegin: (records) => void calls.batches.push(records.length),
      onBatch: (count) => void calls.applied.push(count),
      onDeadLetter: ({ record }) => void calls.letters.push(record.certname),
      onRetry: (_, waitMs) => void calls.waits.push(waitMs),
      ...over,
    },
    most,
    new SuspectRecords(undefined, undefined),
    (records) => void calls.committed.push(...records.map(({ offset }) => offset)),
  );
  return { applier: made, calls };
}
const never = new AbortController().signal;

test.each([
  { most: 100, bad: [], batches: [5] },
  { most: 2, bad: [], batches: [2, 2, 1] },
  { most: 100, bad: [2], batches: [5, 2, 3, 1, 2] },
  // The batch begins with a single record.
  { most: 1, bad: [0, 4], batches: [1, 1, 1, 1, 1] },
  { most: 2, bad: [1], batches: [2, 1, 1, 2, 1] },
])('each record is applied once: batches of $most, poison at $bad', async ({ most, bad, batches }) => {
  const records = await submitted(5, bad);
  const { applier: one, calls } = applier(most);
  await one.apply(records, never);
  expect(calls.batches).toEqual(batches);
  expect(calls.committed).toEqual(records.map(({ offset }) => offset));
  expect(calls.letters).toEqual(bad.map((n) => `node-${n}`));
  expect(calls.applied.reduce((sum, count) => sum + count, 0)).toBe(5);
});

/** Makes a database whose transactions fail several times with this code. */
function failing(times: number, code: string): Database {
  let left = times;
  return Object.create(bench.db, {
    transaction: {
      value: <T>(work: (session: Session) => Promise<T>): Promise<T> => {
        if (left-- > 0) return Promise.reject(Object.assign(new Error('as PostgreSQL says it'), { code }));
        return bench.db.transaction(work);
      },
    },
  }) as Database;
}

test('a batch that may be too large is halved at its third failure, and not before; after a success it has three again', async () => {
  const records = await submitted(8);
  const twice = applier(8, { db: failing(2, '53200') });
  await twice.applier.apply(records.slice(0, 4), never);
  expect(twice.calls.batches).toEqual([4, 4, 4]);
  const often = applier(2, { db: failing(3, '53200') });
  await often.applier.apply(records.slice(4), never);
  expect(often.calls.batches).toEqual([2, 2, 2, 1, 1, 1, 1]);
  expect(often.calls.letters).toEqual([]);
});

test('batches grow again after ten that succeed', async () => {
  const records = await submitted(28);
  const { applier: one, calls } = applier(4, { db: failing(3, '53200') });
  await one.apply(records, never);
  expect(calls.batches).toEqual([4, 4, 4, ...Array<number>(10).fill(2), 4, 4]);
});

test('a success gives a batch all its attempts again', async () => {
  const records = await submitted(4);
  let transactions = 0;
  const db = Object.create(bench.db, {
    transaction: {
      value: <T>(work: (session: Session) => Promise<T>): Promise<T> => {
        transactions += 1;
        // Two failures, the first batch, two failures, the second batch.
        if ([1, 2, 4, 5].includes(transactions)) return Promise.reject(Object.assign(new Error(), { code: '53200' }));
        return bench.db.transaction(work);
      },
    },
  }) as Database;
  const { applier: one, calls } = applier(2, { db });
  await one.apply(records, never);
  expect(calls.batches).toEqual([2, 2, 2, 2, 2, 2]);
});

test.each([
  { most: 1, bad: [0] },
  { most: 2, bad: [0] },
  { most: 2, bad: [] },
])('pauses are short again behind what is applied: batches of $most, poison at $bad', async ({ most, bad }) => {
  const records = await submitted(most + 1, bad);
  const last = records.at(-1) as LogRecord;
  let failures = 0;
  const { applier: one, calls } = applier(most, {
    onBegin: (batch) => {
      if (batch.includes(last) && failures++ === 0) throw Object.assign(new Error('once'), { code: '40001' });
    },
  });
  await one.apply(records, never);
  expect([calls.committed.length, calls.waits]).toEqual([most + 1, [100]]);
});

test('trouble of another kind makes no batch smaller, and pauses grow', async () => {
  const records = await submitted(4);
  const { applier: one, calls } = applier(4, { db: failing(4, '40001') });
  await one.apply(records, never);
  expect(calls.batches).toEqual([4, 4, 4, 4, 4]);
  expect(calls.waits).toEqual([100, 200, 400, 800]);
});

test('who is told to stop while the database is away stops', async () => {
  const records = await submitted(3);
  const stop = new AbortController();
  const { applier: one, calls } = applier(100, {
    db: failing(Infinity, '57P03'),
    onRetry: () => stop.abort(),
  });
  await one.apply(records, stop.signal);
  expect([calls.batches, calls.committed]).toEqual([[3], []]);
  await applier(100).applier.apply(records, never);
});

test('who is told to stop while a batch is halved leaves the rest of it', async () => {
  const records = await submitted(4, [0]);
  const stop = new AbortController();
  const { applier: one, calls } = applier(100, { onDeadLetter: () => stop.abort() });
  await one.apply(records, stop.signal);
  expect(calls.batches).toEqual([4, 2, 1]);
  await applier(100).applier.apply(records.slice(1), never);
});

test('an error while removed reports are deleted repeats only the deletion', async () => {
  const reader = bench.log.reader(await bench.log.ends());
  await limitNode(bench, 'node-0', { reportsBefore: '2026-01-01T00:00:00.000Z' });
  const records = await reader.next({ maxRecords: 100, maxBytes: 1 << 20 });
  await reader.close();
  let deletions = 0;
  const { applier: one, calls } = applier(100, {
    onReportsRemoved: async () => {
      if (++deletions === 1) throw Object.assign(new Error('the connection ended'), { code: '57P01' });
    },
  });
  await one.apply(records, never);
  expect({ deletions, ...calls }).toMatchObject({
    deletions: 2,
    batches: [1],
    applied: [1],
    waits: [expect.any(Number)],
  });
});
