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
      // Two are as they were; of the three whose content is stored, one is its node's first.
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
  // Inflating and reading, of each of the 20: (40 + 8 + 60 + 12 + 2) / 20.
  expect(valueOf(meters.shares.parse)).toEqual([20, 122]);
  // Of four, 26 / 4, and the common 60 / 20; one of them was rejected.
  expect(valueOf(meters.shares.replaceFacts)).toEqual([3, 28.5]);
  expect(valueOf(meters.shares.newFacts)).toEqual([1, 6]);
  // Of six, 127 / 6 and the common 3.
  expect(valueOf(meters.shares.replaceCatalog)).toEqual([6, 145]);
  expect(valueOf(meters.shares.catalogHash)).toEqual([6, 12]);
  expect(valueOf(meters.shares.addResources)).toEqual([3, 30]);
  expect(valueOf(meters.shares.addEdges)).toEqual([3, 9]);
  // A row for each of five, and 39 / 3 for each that has content.
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
