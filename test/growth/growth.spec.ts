/**
 * Tests that tables without a past do not grow with the number of runs, however much of each document is new in each
 * run. NODELEDGER_GROWTH_RUNS sets the number of runs (`npm run test:growth`: 50).
 */
import { Generations, type Generation } from '#database';
import { defaultLimits } from '#limits';
import { collectSharedRows, rebuild, sharedTables, snapshot, verify, type ReplayContext } from '#projections';
import { ProjectionBench } from '../support/projection';
import { commandsOf } from './changing-fleet';

const runs = Number(process.env.NODELEDGER_GROWTH_RUNS ?? 12);
if (!Number.isInteger(runs) || runs < 8) throw new Error('NODELEDGER_GROWTH_RUNS takes a whole number, at least 8');
const mostGrowth = 1.3;

let bench: ProjectionBench;
beforeAll(async () => {
  bench = await ProjectionBench.open(2, false);
});
afterAll(() => bench.close());

const context = (): ReplayContext => ({
  db: bench.db,
  log: bench.log,
  logId: bench.logId,
  maxCommandBytes: 20_000_000,
  limits: defaultLimits,
  signal: new AbortController().signal,
});

/** Returns the bytes of each read table with its indexes. */
async function sizes({ schema }: Generation): Promise<Map<string, number>> {
  const rows = await bench.db.query<{ name: string; bytes: number }>({
    text: `SELECT tablename AS name, pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass) AS bytes
           FROM pg_tables WHERE schemaname = $1 AND tablename <> 'kept_records'`,
    values: [schema],
  });
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
/** As autovacuum does after a fifth of a table has changed. */
async function vacuum({ schema }: Generation): Promise<void> {
  for (const name of (await sizes({ schema } as Generation)).keys()) {
    await bench.db.query({ text: `VACUUM ${schema}.${name}`, values: [] });
  }
}
const rowsOf = async ({ schema }: Generation): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { name } of sharedTables) {
    const [row] = await bench.db.query<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM ${schema}.${name}`,
      values: [],
    });
    counts[name] = row?.count ?? 0;
  }
  return counts;
};
const total = (of: ReadonlyMap<string, number>): number => [...of.values()].reduce((sum, bytes) => sum + bytes, 0);

it(`after ${runs} runs the tables are at most ${mostGrowth} times as large as rebuilt ones`, async () => {
  const live = bench.generation;
  let collected = 0;
  for (let run = 1; run <= runs; run++) {
    for (const { command, certname, payload, version } of commandsOf(run)) {
      await bench.submit(command, certname, { payload, ...(version !== undefined && { version }) });
    }
    await bench.settle();
    collected += await collectSharedRows(bench.db, live, { pauseMs: 0 });
    await vacuum(live);
  }
  expect(bench.deadLetters).toEqual([]);
  const grown = await sizes(live);
  const grownRows = await rowsOf(live);
  expect(await verify(context())).toMatchObject({ counted: 0 });

  // A base contains only needed records, so tables that are made from it have no unused row.
  await snapshot(context(), { historyMs: 0 });
  await rebuild(context());
  const rebuilt = (await new Generations(bench.db).live()) as Generation;
  expect(rebuilt.generation).not.toBe(live.generation);
  await vacuum(rebuilt);
  const fresh = await sizes(rebuilt);
  const table = [...grown].map(([name, bytes]) => `${name}: ${bytes} / ${fresh.get(name)}`).join('\n');
  console.log(`${runs} runs, ${collected} rows collected: ${(total(grown) / total(fresh)).toFixed(2)} times\n${table}`);
  expect(grownRows).toEqual(await rowsOf(rebuilt));
  expect(total(grown)).toBeLessThan(mostGrowth * total(fresh));
}, 600_000);
