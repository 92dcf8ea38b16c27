import { MeterSet, Timer } from '#metrics';
import { type BatchStep, batchSteps } from '#projections';
import type { BatchFigures, CommandFigures } from './batch-figures';

/** In milliseconds. A step that took less time than this had nothing to do, so its time is not recorded. */
const nothing = 0.01;

const reading: readonly BatchStep[] = [
  'inflate',
  'read_facts',
  'read_catalogs',
  'hash_catalogs',
  'read_reports',
  'read_others',
];
const storing: readonly BatchStep[] = ['write_resources', 'write_edges'];

const ownSteps: Readonly<Record<string, readonly BatchStep[]>> = {
  'replace facts': ['read_facts', 'prepare_facts', 'write_facts'],
  'replace catalog': ['read_catalogs', 'hash_catalogs', 'prepare_catalogs', 'write_catalogs', ...storing],
  'store report': ['read_reports', 'prepare_reports', 'write_reports', 'write_events'],
};
const others: readonly BatchStep[] = ['read_others', 'write_inputs', 'remove_rows'];
const owned = new Set<BatchStep>([...Object.values(ownSteps).flat(), ...others]);
const common = (Object.keys(batchSteps) as BatchStep[]).filter((step) => !owned.has(step));

/**
 * Durations of the steps, as PuppetDB measures them. Each step is done once for all commands of a batch, so the time of
 * one command is the time of the step divided by the number of commands.
 */
export const stepTable = {
  parse: ['mq:global.command-parse-time', 'Time to inflate, parse and check a payload.'],
  replaceFacts: [
    'storage:replace-facts-time',
    'Time to apply one `replace facts`, including its share of the steps for all commands.',
  ],
  replaceCatalog: [
    'storage:replace-catalog-time',
    'Time to apply one `replace catalog`, including its share of the steps for all commands.',
  ],
  storeReport: [
    'storage:store-report-time',
    'Time to apply one `store report`, including its share of the steps for all commands.',
  ],
  newFacts: ['storage:new-fact-time', 'Time to store the first facts of a node.'],
  catalogHash: ['storage:catalog-hash', 'Time to hash a catalog, and to compare it with the stored catalog.'],
  sameCatalog: ['storage:catalog-hash-match-time', 'Time to store a catalog whose content was stored already.'],
  changedCatalog: ['storage:catalog-hash-miss-time', 'Time to store a catalog that replaces a different catalog.'],
  newCatalog: ['storage:new-catalog-time', 'Time to store the first catalog of a node.'],
  addResources: ['storage:add-resources', 'Time to write the resources of a catalog.'],
  addEdges: ['storage:add-edges', 'Time to write the edges of a catalog.'],
} as const;

export class StepMeters {
  readonly steps = new MeterSet(['step'], () => new Timer());
  /** Time of a step divided by the number of its commands. The result is recorded once for each command. */
  readonly shares = Object.fromEntries(Object.keys(stepTable).map((name) => [name, new Timer()])) as Readonly<
    Record<keyof typeof stepTable, Timer>
  >;

  constructor() {
    for (const step of Object.keys(batchSteps)) this.steps.of(step);
  }

  committed({ steps, commands }: Pick<BatchFigures, 'steps' | 'commands'>): void {
    for (const [step, ms] of steps) if (ms >= nothing) this.steps.of(step).record(ms);
    const time = (...names: readonly BatchStep[]): number =>
      names.reduce((sum, name) => sum + (steps.get(name) ?? 0), 0);
    const records = sumOf(commands, seen);
    const { shares } = this;
    share(shares.parse, time(...reading), records, records);
    const commonShare = records === 0 ? 0 : time(...common) / records;
    const kind = (command: string, timer: Timer): readonly CommandFigures[] => {
      const found = commands.filter((figures) => figures.command === command);
      const all = sumOf(found, seen);
      const processed = sumOf(found, (figures) => figures.processed);
      share(timer, time(...(ownSteps[command] ?? [])) + commonShare * all, all, processed);
      return found;
    };

    const facts = kind('replace facts', shares.replaceFacts);
    share(
      shares.newFacts,
      time('prepare_facts', 'write_facts'),
      sumOf(facts, stored),
      sumOf(facts, ({ added }) => added),
    );
    kind('store report', shares.storeReport);

    const catalogs = kind('replace catalog', shares.replaceCatalog);
    const [all, withContent] = [sumOf(catalogs, seen), sumOf(catalogs, stored)];
    const unchanged = sumOf(catalogs, (figures) => figures.unchanged);
    const added = sumOf(catalogs, (figures) => figures.added);
    share(
      shares.catalogHash,
      time('hash_catalogs'),
      all,
      sumOf(catalogs, ({ processed }) => processed),
    );
    share(shares.addResources, time('write_resources'), withContent, withContent);
    share(shares.addEdges, time('write_edges'), withContent, withContent);
    const row = withContent + unchanged === 0 ? 0 : time('write_catalogs') / (withContent + unchanged);
    const content = withContent === 0 ? 0 : time(...storing) / withContent;
    share(shares.sameCatalog, row, 1, unchanged);
    share(shares.changedCatalog, row + content, 1, withContent - added);
    share(shares.newCatalog, row + content, 1, added);
  }
}

const seen = ({ queueMs }: CommandFigures): number => queueMs.length;
const stored = ({ processed, ignored, superseded, unchanged }: CommandFigures): number =>
  processed - ignored - superseded - unchanged;

const sumOf = (commands: readonly CommandFigures[], count: (figures: CommandFigures) => number): number =>
  commands.reduce((sum, figures) => sum + count(figures), 0);

function share(timer: Timer, ms: number, among: number, times: number): void {
  for (let one = 0; one < times; one++) timer.record(ms / among);
}
