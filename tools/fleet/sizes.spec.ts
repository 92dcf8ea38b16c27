import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fleet } from './fleet';

/** Figures about the size of a document. */
interface Figures {
  readonly factBytes: number;
  readonly topLevelFacts: number;
  readonly factLeaves: number;
  readonly packages: number;
  readonly catalogBytes: number;
  readonly resources: number;
  readonly edges: number;
  readonly parameterBytes: number;
  readonly parameters: number;
  readonly quietBytes: number;
  readonly quietMetrics: number;
  readonly changedBytes: number;
  readonly changedResources: number;
  readonly changedEvents: number;
  readonly changedLogs: number;
  readonly firstBytes: number;
  readonly firstResources: number;
  readonly firstEvents: number;
  readonly firstLogs: number;
}

/** Medians in a fleet whose machines have about 800 resources each. */
const USUAL: Figures = {
  factBytes: 68_000,
  topLevelFacts: 122,
  factLeaves: 400,
  packages: 1000,
  catalogBytes: 818_000,
  resources: 801,
  edges: 920,
  parameterBytes: 440,
  parameters: 4.7,
  quietBytes: 15_900,
  quietMetrics: 163,
  changedBytes: 61_500,
  changedResources: 40,
  changedEvents: 42,
  changedLogs: 46,
  firstBytes: 552_000,
  firstResources: 480,
  firstEvents: 505,
  firstLogs: 486,
};

const samples = process.env.NODELEDGER_SAMPLES ?? join(__dirname, '../../../shared/samples');
const made = madeByTheFleet();

describe('the sizes of the documents', () => {
  it.each(Object.keys(USUAL) as (keyof Figures)[])('%s is within a fifth of the usual figure', (figure) => {
    expect(made[figure]).toBeGreaterThan(USUAL[figure] * 0.8);
    expect(made[figure]).toBeLessThan(USUAL[figure] * 1.2);
  });

  if (existsSync(samples)) {
    const sampled = figuresOf({ facts: textsIn('facts'), catalogs: textsIn('catalogs'), reports: textsIn('reports') });
    it.each(Object.keys(USUAL) as (keyof Figures)[])('%s is within a fifth of the samples', (figure) => {
      expect(made[figure]).toBeGreaterThan(sampled[figure] * 0.8);
      expect(made[figure]).toBeLessThan(sampled[figure] * 1.2);
    });
  } else {
    // If the environment names the folder, the test fails when the folder does not exist. Otherwise it is skipped.
    const unless = process.env.NODELEDGER_SAMPLES === undefined ? it.skip : it;
    unless(`are those of the samples: ${samples} does not exist (NODELEDGER_SAMPLES names the folder)`, () => {
      throw new Error(`${samples} does not exist`);
    });
  }
});

function madeByTheFleet(): Figures {
  const fleet = new Fleet('sizes');
  const runs = Array.from({ length: 30 }, (_, index) =>
    [0, 1, 2, 3, 4].map((run) => fleet.run(index, run, { startTime: new Date('2024-05-01T00:00:00Z') })),
  ).flat();
  return figuresOf({
    facts: runs.map((one) => one.facts.text),
    catalogs: runs.map((one) => one.catalog.text),
    reports: runs
      .filter((one) => ['first', 'changed', 'quiet', 'chatty'].includes(one.outcome))
      .map((one) => one.report.text),
  });
}

function textsIn(folder: string): string[] {
  return readdirSync(join(samples, folder)).map((name) => readFileSync(join(samples, folder, name), 'utf8'));
}

function figuresOf(texts: { facts: string[]; catalogs: string[]; reports: string[] }): Figures {
  const facts = texts.facts.map((text) => ({
    text,
    document: JSON.parse(text) as { values: Record<string, unknown>; package_inventory: unknown[] },
  }));
  const catalogs = texts.catalogs.map((text) => ({
    text,
    document: JSON.parse(text) as { resources: { parameters: Record<string, unknown> }[]; edges: unknown[] },
  }));
  const reports = texts.reports.map((text) => ({
    text,
    document: JSON.parse(text) as { resources: { events: unknown[] }[]; logs: unknown[]; metrics: unknown[] },
  }));
  const quiet = reports.filter((one) => one.document.resources.length === 0);
  const changed = reports.filter((one) => one.document.resources.length > 0 && one.document.resources.length < 200);
  const first = reports.filter((one) => one.document.resources.length >= 200);
  const events = (one: (typeof reports)[number]): number =>
    one.document.resources.reduce((sum, resource) => sum + resource.events.length, 0);
  return {
    factBytes: median(facts, (one) => Buffer.byteLength(one.text)),
    topLevelFacts: median(facts, (one) => Object.keys(one.document.values).length),
    factLeaves: median(facts, (one) => leaves(one.document.values)),
    packages: median(facts, (one) => one.document.package_inventory.length),
    catalogBytes: median(catalogs, (one) => Buffer.byteLength(one.text)),
    resources: median(catalogs, (one) => one.document.resources.length),
    edges: median(catalogs, (one) => one.document.edges.length),
    parameterBytes: median(catalogs, (one) =>
      mean(one.document.resources.map((resource) => JSON.stringify(resource.parameters).length)),
    ),
    parameters: median(catalogs, (one) =>
      mean(one.document.resources.map((resource) => Object.keys(resource.parameters).length)),
    ),
    quietBytes: median(quiet, (one) => Buffer.byteLength(one.text)),
    quietMetrics: median(quiet, (one) => one.document.metrics.length),
    changedBytes: median(changed, (one) => Buffer.byteLength(one.text)),
    changedResources: median(changed, (one) => one.document.resources.length),
    changedEvents: median(changed, events),
    changedLogs: median(changed, (one) => one.document.logs.length),
    firstBytes: median(first, (one) => Buffer.byteLength(one.text)),
    firstResources: median(first, (one) => one.document.resources.length),
    firstEvents: median(first, events),
    firstLogs: median(first, (one) => one.document.logs.length),
  };
}

function leaves(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + leaves(inner), 0);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function median<T>(items: readonly T[], figure: (item: T) => number): number {
  const sorted = items.map(figure).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
