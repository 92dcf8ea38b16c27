import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '#database';
import { Fault } from '#fault';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { until } from '../../test/support/until';
import { at, fill, readRecords, wide, certnameOf, newRecord } from './testing/contract-records';
import { MemoryCommandLog } from './testing/memory-command-log';
import { PartitionFollower, type StartOf } from './partition-follower';

let fresh: FreshDatabase;
let db: Database;
let log: MemoryCommandLog;
let follower: PartitionFollower;
beforeAll(async () => {
  fresh = await freshDatabase();
  db = new Database({ connectionString: fresh.connectionString, max: 4 });
});
afterEach(() => follower.close());
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

async function follow(startOf: StartOf, partitions = 3): Promise<void> {
  log = new MemoryCommandLog({ partitions });
  await log.open();
  follower = new PartitionFollower({ log, db, group: `group ${Math.random()}`, partitions, startOf });
}
const from =
  (offset: () => number): StartOf =>
  (partitions) =>
    Promise.resolve(new Map(partitions.map((partition) => [partition, offset()])));
const positions = async (count: number): Promise<string[]> => (await readRecords(follower, count)).map(at).sort();

test('returns everything from the given offsets, and again after a rewind', async () => {
  let first = 3;
  await follow(from(() => first));
  await fill(log, 3, 4);
  expect(await positions(6)).toEqual(['0:3', '0:4', '1:3', '1:4', '2:3', '2:4']);
  first = 4;
  await follower.rewind();
  expect(await positions(3)).toEqual(['0:4', '1:4', '2:4']);
  await log.append(newRecord(certnameOf(1, 3)));
  expect(await positions(1)).toEqual(['1:5']);
  const waiting = follower.next(wide);
  await delay(20);
  await follower.close();
  expect([await waiting, await follower.next(wide)]).toEqual([[], []]);
});

test('returns records again if it is rewound while it waits', async () => {
  await follow(from(() => 1));
  await fill(log, 3, 1);
  await positions(3);
  const waiting = follower.next(wide);
  await delay(20);
  await follower.rewind();
  expect((await waiting).map(at)).toEqual(['0:1', '1:1', '2:1']);
});

test('throws the error of its caller, and asks again at the next call', async () => {
  let attempts = 0;
  await follow((partitions) => {
    attempts += 1;
    if (attempts < 3) return Promise.reject(new Fault('busy', 'database.unreachable', 'not now'));
    return from(() => 1)(partitions);
  });
  await fill(log, 3, 1);
  for (let n = 0; n < 2; n++) await expect(follower.next(wide)).rejects.toMatchObject({ code: 'database.unreachable' });
  expect(await positions(3)).toEqual(['0:1', '1:1', '2:1']);
});

test('refuses offsets that the log does not have, until it is rewound', async () => {
  let first = 9;
  await follow(
    from(() => first),
    1,
  );
  await fill(log, 1, 2);
  for (let n = 0; n < 2; n++) {
    await expect(follower.next(wide)).rejects.toMatchObject({ kind: 'broken', code: 'log.past-end' });
  }
  first = 2;
  await follower.rewind();
  expect(await positions(1)).toEqual(['0:2']);
});

test('waits if the other members of its group have all partitions, and takes over the partitions of one that leaves', async () => {
  await follow(
    from(() => 1),
    1,
  );
  await fill(log, 1, 1);
  await positions(1);
  const requests: (readonly number[])[] = [];
  const { group } = (follower as unknown as { options: { group: string } }).options;
  const others = [1, 2].map(
    () =>
      new PartitionFollower({
        ...{ log, db, group, partitions: 1 },
        startOf: (partitions) => {
          requests.push(partitions);
          return from(() => 2)(partitions);
        },
      }),
  );
  const seen: string[] = [];
  const stop = new AbortController();
  const running = [follower, ...others].map(async (one) => {
    for (;;) {
      const records = await one.next(wide, stop.signal);
      if (records.length === 0) return;
      seen.push(...records.map(at));
    }
  });
  try {
    // One of the three followers reads the only partition. When this follower leaves, another one reads the partition.
    await follower.close();
    await log.append(newRecord('a'));
    await until(() => seen.includes('0:2'), { withinMs: 3_000 });
    expect(requests.some((partitions) => partitions.includes(0))).toBe(true);
  } finally {
    stop.abort();
    await Promise.all(running);
    for (const one of others) await one.close();
  }
});
