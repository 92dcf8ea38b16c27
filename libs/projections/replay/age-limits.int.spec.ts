/**
 * Applies age limits in a log that is replayed, reduced to a base and copied, while the live tables still have the
 * reports that are due.
 */
import { Generations, type Generation } from '#database';
import { defaultLimits } from '#limits';
import type { LogRecord } from '#log';
import { MemoryCommandLog } from '../../log/testing/memory-command-log';
import { giveAgeLimits } from '../../../test/support/age-limits';
import { event, factset, report } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { copyLog } from './copy-log';
import { rebuild } from './rebuild';
import type { ReplayContext } from './replay-context';
import { recordsUntil } from './records-until';
import { snapshot } from './snapshot';
import { verify } from './verify';

const partitions = 3;
const nodes = 12;
let bench: ProjectionBench;
beforeAll(async () => {
  bench = await ProjectionBench.open(partitions);
});
afterAll(() => bench.close());

const context = (over: Partial<ReplayContext> = {}): ReplayContext => ({
  ...{ db: bench.db, log: bench.log, logId: bench.logId, maxCommandBytes: 20_000_000, limits: defaultLimits },
  signal: new AbortController().signal,
  ...over,
});
const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString();
const reported = (certname: string, n: number): Promise<unknown> =>
  bench.submit('store report', certname, {
    payload: report(certname, [event('ensure')], { producer_timestamp: day(n), configuration_version: `v${n}` }),
  });
const live = async (): Promise<Generation> => (await new Generations(bench.db).live()) as Generation;
const count = async (what: string): Promise<number> => {
  const [row] = await bench.db.query<{ count: number }>({
    text: `SELECT count(*) FROM ${(await live()).schema}.${what}`,
    values: [],
  });
  return Number(row?.count);
};
const commands = async (): Promise<string[]> => {
  const found: LogRecord[] = [];
  for await (const batch of recordsUntil(context(), await bench.log.ends())) found.push(...batch);
  return [...new Set(found.map(({ command }) => command))].sort();
};

it('give the same tables by every way, and so does a log that they were copied to with other partitions', async () => {
  for (let n = 0; n < nodes; n++) {
    const certname = `node-${n}`;
    for (const run of [1, 2, 3]) await reported(certname, run);
    // The other nodes have only reports.
    if (n % 2 === 0) {
      await bench.submit('replace facts', certname, {
        payload: factset(certname, { n }, { producer_timestamp: day(3) }),
      });
    }
    if (n % 4 === 1) await reported(certname, 8);
  }
  await giveAgeLimits(bench, partitions, {
    expiry: { cutoff: day(4), expired: day(20), most: 100 },
    reportsBefore: day(2),
    eventsBefore: day(3),
  });
  // Some nodes become active again, and some send old documents.
  for (let n = 0; n < nodes; n += 3) await reported(`node-${n}`, n % 2 === 0 ? 5 : 1);
  await bench.settle(undefined, { removes: false });
  expect(await count('removals')).toBe(2 * partitions);
  const [stored, events] = [await count('reports'), await count('resource_events')];

  expect(await verify(context())).toMatchObject({ counted: 0 });
  expect((await rebuild(context(), { dryRun: true })).comparison).toMatchObject({ counted: 0 });
  await snapshot(context(), { historyMs: 0 });
  expect(await commands()).toEqual(['replace facts', 'restore nodes', 'store report']);
  expect(await verify(context())).toMatchObject({ counted: 0 });
  // None of this changed the live tables.
  expect([await count('reports'), await count('resource_events')]).toEqual([stored, events]);

  await giveAgeLimits(bench, partitions, { reportsBefore: day(3) });
  await reported('node-0', 9);
  await bench.settle(undefined, { removes: false });
  const target = new MemoryCommandLog({ partitions: 5 });
  const identity = await target.open();
  await copyLog(context(), target, identity);
  const there = context({ log: target, logId: identity.logId });
  expect(await verify(there)).toMatchObject({ counted: 0 });
  // A replay made the tables of the copy, and a replay deletes the rows that are due.
  const left = await count('reports');
  expect(left).toBeLessThan(stored);
  expect(await count(`removals WHERE kind = 'r' OR NOT is_done`)).toBe(0);

  // Copies again, from a base of the copy and to another number of partitions.
  await snapshot(there, { historyMs: 0 });
  expect(await verify(there)).toMatchObject({ counted: 0 });
  const third = new MemoryCommandLog({ partitions: 2 });
  const thirdIdentity = await third.open();
  await copyLog(there, third, thirdIdentity);
  expect(await count('reports')).toBe(left);
  expect(await verify(context({ log: third, logId: thirdIdentity.logId }))).toMatchObject({ counted: 0 });
}, 120_000);
