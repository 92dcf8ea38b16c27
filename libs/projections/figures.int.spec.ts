/** Tests the figures about the read tables, and the outcome of each record. */
import { Generations } from '#database';
import { catalog, edge, factset, report, resource } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { type BatchStep, batchSteps } from './batch-steps';
import { countWaitingLetters } from './dead-letters/waiting-letters';
import { readPopulation } from './population';
import type { RecordOutcome } from './record-outcomes';
import { rebuildProgress } from './replay/rebuild-progress';
import { makeGeneration } from './replay/rebuild';

let bench: ProjectionBench;
beforeAll(async () => (bench = await ProjectionBench.open(2)));
afterAll(() => bench.close());

const give = (command: string, certname: string, payload: unknown): Promise<unknown> =>
  bench.submit(command, certname, { payload });
const at = (second: number) => ({ producer_timestamp: `2026-01-01T00:00:0${second}.000Z` });

/** Applies all waiting records. Returns the outcomes by command. */
async function outcomes(): Promise<Record<string, RecordOutcome[]>> {
  const found: Record<string, RecordOutcome[]> = {};
  const stop = new AbortController();
  const ends = await bench.log.ends();
  let commands: string[] = [];
  await bench
    .projector({
      until: ends,
      onBegin: (records) => (commands = records.map(({ command }) => command)),
      onBatch: (count, batch) => {
        expect(batch).toHaveLength(count);
        batch.forEach((outcome, index) => (found[commands[index] ?? ''] ??= []).push(outcome));
      },
    })
    .run(stop.signal);
  return found;
}

test('the outcomes of records', async () => {
  const resources = [resource('/a'), resource('/b')];
  await give('replace facts', 'a', factset('a', {}, at(2)));
  await give('replace facts', 'a', factset('a', { n: 1 }, at(3)));
  await give('replace facts', 'a', factset('a', { n: 2 }, at(1)));
  await give('replace catalog', 'a', catalog('a', resources, [], at(1)));
  await give('replace facts', 'a', { certname: 'a' });
  expect(await outcomes()).toEqual({
    'replace facts': ['superseded', 'added', 'ignored', 'rejected'],
    'replace catalog': ['added'],
  });
  await give('replace catalog', 'a', catalog('a', resources, [], at(2)));
  await give('deactivate node', 'b', { certname: 'b', ...at(1) });
  await give('deactivate node', 'b', { certname: 'b', ...at(1) });
  await give('replace catalog', 'c', catalog('c', resources.slice(1), [], at(1)));
  const second = await outcomes();
  expect(second['deactivate node']).toEqual(['applied', 'ignored']);
  expect(second['replace catalog']?.sort()).toEqual(['added', 'unchanged']);
  await give('replace facts', 'a', factset('a', { n: 3 }, at(4)));
  await give('replace catalog', 'a', catalog('a', resources.slice(0, 1), [], at(3)));
  await give('replace catalog', 'a', catalog('a', resources, [], at(4)));
  expect(await outcomes()).toEqual({ 'replace facts': ['applied'], 'replace catalog': ['superseded', 'applied'] });
});

test('population and dead letters', async () => {
  expect(await readPopulation(bench.db)).toEqual({
    activeNodes: 2,
    inactiveNodes: 1,
    resources: 3,
    distinctResources: 2,
  });
  expect(await countWaitingLetters(bench.db)).toEqual({ letters: 1, bytes: '{"certname":"a"}'.length });
});

test('how far a rebuild is', async () => {
  expect(await rebuildProgress(bench.db, bench.log)).toBeUndefined();
  const next = await makeGeneration(bench, 'rebuild');
  const total = [...(await bench.log.ends()).values()].reduce((sum, end) => sum + end - 1, 0);
  expect(await rebuildProgress(bench.db, bench.log)).toEqual({ generation: next.generation, done: 0, total });
  await new Generations(bench.db).drop(next);
});

test('each step of a batch is told once it has ended, and the commit last', async () => {
  const steps: BatchStep[] = [];
  await give('replace facts', 's', factset('s', { n: 1 }, at(1)));
  await give('replace catalog', 's', catalog('s', [resource('/s'), resource('/t')], [edge('/s', '/t')], at(1)));
  await give('store report', 's', report('s', []));
  const expiration = { certname: 's', expire: { facts: true }, ...at(1) };
  await bench.submit('configure expiration', 's', { version: 1, payload: expiration });
  await bench
    .projector({ until: await bench.log.ends(), onStep: (step) => void steps.push(step) })
    .run(new AbortController().signal);
  expect([...new Set(steps)].sort()).toEqual(Object.keys(batchSteps).sort());
  expect([steps[0], steps.at(-1)]).toEqual(['load', 'commit']);
  // The hash of a catalog is complete before the catalog is read.
  const [hash, read] = [steps.lastIndexOf('hash_catalogs'), steps.lastIndexOf('read_catalogs')];
  expect([hash > 0, read - hash]).toEqual([true, 1]);
});
