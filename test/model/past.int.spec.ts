import fc from 'fast-check';
import { Generations, type Generation } from '#database';
import { type BatchStep, batchSteps, deleteRemovedRows, newTables } from '#projections';
import { hasPast, pastName } from '../../libs/projections/schema/past';
import { ownTables } from '../../libs/projections/schema/read-tables';
import { Seeded } from '../chaos/seeded';
import { schedule } from './arbitraries';
import { propertyRuns, ScheduleRunner } from './schedule-runner';

let runner: ScheduleRunner;
beforeAll(async () => {
  runner = await ScheduleRunner.open();
  await fc.assert(
    fc.asyncProperty(schedule, async (steps) => void (await runner.play(steps))),
    { numRuns: propertyRuns(25), seed: 30 },
  );
}, 600_000);
afterAll(() => runner.close());

const asked = ownTables.filter(({ history }) => history !== undefined);

/** Tables that a projector makes of the records before these offsets. */
async function tablesAt(until: ReadonlyMap<number, number>): Promise<Generation> {
  const { db, log, logId } = runner.bench;
  const definition = newTables({ logId, extent: await log.extent(), keepsPast: false }, 'scratch');
  const generation = await new Generations(db).create(definition);
  await runner.bench.projector({ generation, until, keepDeadLetters: false }).run(AbortSignal.timeout(60_000));
  await deleteRemovedRows(db, generation);
  return generation;
}

const columnsOf = async (table: string): Promise<string[]> =>
  (
    await runner.bench.rows<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = '{schema}' AND table_name = $1 AND column_name NOT IN ('since', 'until') ORDER BY 1`,
      [table],
    )
  ).map(({ name }) => name);

it('says of each moment what tables have that are made of the records before it', async () => {
  const { bench } = runner;
  const random = new Seeded(30);
  const ends = await bench.log.ends();
  const counted = new Map<string, number>();
  for (let moment = 0; moment < 20; moment++) {
    const until = new Map([...ends].map(([partition, end]) => [partition, random.whole(1, end)]));
    const offsets = `'{${[...until]
      .sort()
      .map(([, offset]) => offset)
      .join(',')}}'::bigint[]`;
    const then = await tablesAt(until);
    for (const table of asked) {
      const { name } = table;
      const columns = (await columnsOf(hasPast(table) ? pastName(name) : name))
        .map((column) => `t.${column}`)
        .join(', ');
      // Age limits have removed some reports and events since, and a report that comes again is another one.
      const isLeft = hasPast(table)
        ? 'true'
        : `EXISTS (SELECT FROM {schema}.${name} r WHERE r.report = t.report AND r.${table.history?.since} = t.${table.history?.since})`;
      const rows = (from: string, where: string): Promise<{ row: string }[]> =>
        bench.rows<{ row: string }>(
          `SELECT row_to_json(x)::text AS row FROM (SELECT ${columns} FROM ${from} t WHERE ${where}) x ORDER BY 1`,
        );
      const found = await rows(`{schema}.${name}_at(${offsets})`, 'true');
      expect([name, offsets, found]).toEqual([name, offsets, await rows(`${then.schema}.${name}`, isLeft)]);
      counted.set(name, (counted.get(name) ?? 0) + found.length);
    }
    await new Generations(bench.db).drop(then);
  }
  for (const { name } of asked) expect([name, (counted.get(name) ?? 0) > 10]).toEqual([name, true]);
}, 600_000);

it('has a timeline that equals the differences between the rows before and after each record', async () => {
  let rows = 0;
  for (const played of runner.models) {
    const { stored, expected } = await runner.compareTimeline(runner.bench.generation, played);
    expect(stored).toEqual(expected);
    rows += stored.length;
  }
  expect(rows).toBeGreaterThan(100);
}, 120_000);

it('is the same if the projector takes one record at a time, if two projectors take large batches, and if it crashes at each step', async () => {
  const { bench } = runner;
  const dump = await bench.dump();
  for (const how of [{ batch: 1 }, { projectors: 2, batch: 500 }]) {
    const again = await bench.newGeneration();
    await runner.settle(again, how);
    expect(await bench.dump(again)).toEqual(dump);
  }
  const again = await bench.newGeneration();
  const left = new Set(Object.keys(batchSteps));
  const until = await bench.log.ends();
  for (let crashed = true; crashed;) {
    crashed = false;
    const stop = new AbortController();
    const onStep = (step: BatchStep): void => {
      if (!left.delete(step)) return;
      crashed = true;
      stop.abort();
      // As if the connection broke when the step ended; after the commit, before its answer came.
      throw Object.assign(new Error(`a crash after ${step}`), { code: '57P01' });
    };
    await bench.projector({ generation: again, until, batchRecords: 7, onStep }).run(stop.signal);
  }
  await deleteRemovedRows(bench.db, again);
  expect([...left]).toEqual([]);
  expect(await bench.dump(again)).toEqual(dump);
  for (const table of [...asked.filter(hasPast).map(({ name }) => pastName(name)), 'timeline'])
    expect(dump[table]).not.toEqual([]);
}, 600_000);
