/** What the read tables tell about themselves, and what became of each record. */
import { Generations } from '#database';
import { catalog, factset, resource } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
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

/** Projects all that waits; gives the outcomes by command. */
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
    'replace facts': ['superseded', 'applied', 'ignored', 'rejected'],
    'replace catalog': ['applied'],
  });
  await give('replace catalog', 'a', catalog('a', resources, [], at(2)));
  await give('deactivate node', 'b', { certname: 'b', ...at(1) });
  await give('deactivate node', 'b', { certname: 'b', ...at(1) });
  await give('replace catalog', 'c', catalog('c', resources.slice(1), [], at(1)));
  const second = await outcomes();
  expect(second['deactivate node']).toEqual(['applied', 'ignored']);
  expect(second['replace catalog']?.sort()).toEqual(['applied', 'unchanged']);
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
