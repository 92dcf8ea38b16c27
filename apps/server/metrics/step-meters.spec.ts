import type { Timer } from '#metrics';
import type { BatchStep } from '#projections';
import type { CommandFigures } from './batch-figures';
import { StepMeters } from './step-meters';

const figures = (command: string, processed: number, over: Partial<CommandFigures> = {}): CommandFigures => ({
  command,
  version: 1,
  processed,
  rejected: 0,
  ignored: 0,
  superseded: 0,
  unchanged: 0,
  added: 0,
  queueMs: Array<number>(processed + (over.rejected ?? 0)).fill(0),
  ...over,
});
const steps = (times: Partial<Record<BatchStep, number>>): Map<BatchStep, number> =>
  new Map(Object.entries(times) as [BatchStep, number][]);
const valueOf = ({ count, sum }: Timer): [number, number] => [count, Math.round(sum * 1_000) / 1_000];

test('one command counts with its share of the steps of its kind and of the common ones', () => {
  const meters = new StepMeters();
  meters.committed({
    commands: [
      figures('replace facts', 3, { rejected: 1, added: 1 }),
      // Of the six catalogs, two have unchanged content and one is superseded. The other three are stored, and one of
      // them is the first catalog of its node.
      figures('replace catalog', 6, { unchanged: 2, superseded: 1, added: 1 }),
      figures('deactivate node', 10),
    ],
    steps: steps({
      inflate: 40,
      read_facts: 8,
      prepare_facts: 6,
      write_facts: 12,
      read_catalogs: 60,
      hash_catalogs: 12,
      prepare_catalogs: 6,
      write_catalogs: 10,
      write_resources: 30,
      write_edges: 9,
      read_others: 2,
      commit: 20,
    }),
  });
  // Each of the 20 commands counts with its share of the time for inflating and reading.
  expect(valueOf(meters.shares.parse)).toEqual([20, 122]);
  // Steps for facts take 26 / 4 for each of four commands, and common steps take 60 / 20. One of the four was rejected,
  // so three are counted.
  expect(valueOf(meters.shares.replaceFacts)).toEqual([3, 28.5]);
  expect(valueOf(meters.shares.newFacts)).toEqual([1, 6]);
  // Steps for catalogs take 127 / 6 for each of six commands, and common steps take 3.
  expect(valueOf(meters.shares.replaceCatalog)).toEqual([6, 145]);
  expect(valueOf(meters.shares.catalogHash)).toEqual([6, 12]);
  expect(valueOf(meters.shares.addResources)).toEqual([3, 30]);
  expect(valueOf(meters.shares.addEdges)).toEqual([3, 9]);
  // Five catalogs need a row. The steps that store content take 39 / 3 for each of the three catalogs with new content.
  expect(valueOf(meters.shares.sameCatalog)).toEqual([2, 4]);
  expect(valueOf(meters.shares.changedCatalog)).toEqual([2, 30]);
  expect(valueOf(meters.shares.newCatalog)).toEqual([1, 15]);
  expect(valueOf(meters.shares.storeReport)).toEqual([0, 0]);
});

test('a step counts once for each batch that had something to do in it', () => {
  const meters = new StepMeters();
  const commands = [figures('store report', 2)];
  for (const write_events of [5, 0.002, 7]) meters.committed({ commands, steps: steps({ write_events }) });
  expect(valueOf(meters.steps.of('write_events'))).toEqual([2, 12]);
  expect(valueOf(meters.shares.storeReport)).toEqual([6, 12.002]);
});

test('a batch without anything to measure leaves no impossible figure', () => {
  const meters = new StepMeters();
  meters.committed({ commands: [figures('replace catalog', 1, { ignored: 1 })], steps: steps({ write_resources: 1 }) });
  meters.committed({ commands: [], steps: steps({}) });
  for (const timer of Object.values(meters.shares)) expect(Number.isFinite(timer.sum)).toBe(true);
});
