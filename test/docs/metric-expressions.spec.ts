/** Tests the examples in deploy: the expressions are valid, and every metric and label that they name exists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { familiesOf, metricTable } from '../../apps/server/metrics/metric-table';
import { metricParts } from './metric-parts';

const load = () => import('@prometheus-io/lezer-promql');
let promql: Awaited<ReturnType<typeof load>>;
beforeAll(async () => {
  promql = await load();
});

const deploy = join(__dirname, '../../deploy');
const read = (file: string): string => readFileSync(join(deploy, file), 'utf8');

const families = familiesOf(metricTable(metricParts));

/** Labels by the names of samples, as Prometheus stores them. */
const labels = new Map<string, readonly string[]>([['up', []]]);
for (const { name, type, labels: own = [] } of families) {
  if (type === 'histogram') {
    labels.set(`${name}_bucket`, [...own, 'le']);
    labels.set(`${name}_count`, own);
    labels.set(`${name}_sum`, own);
  } else labels.set(name + { counter: '_total', gauge: '', info: '_info' }[type], own);
}
/** Prometheus adds these labels. */
const added = ['instance', 'job'];

interface Named {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
}

/** Throws if the expression is not valid. */
function namesOf(expression: string): Named {
  // Grafana replaces its variables.
  const text = expression.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
  const metrics: string[] = [];
  const found: string[] = [];
  promql.parser.parse(text).iterate({
    enter: ({ name, from, to, type }) => {
      const part = text.slice(from, to);
      if (type.isError) throw new Error(`cannot be read at ${from}: ${expression}`);
      if (name === 'VectorSelector') metrics.push(/^[\w:]+/.exec(part)?.[0] ?? '');
      if (name === 'LabelName') found.push(part);
    },
  });
  return { metrics, labels: found };
}

function wrong(expression: string): string[] {
  const { metrics, labels: used } = namesOf(expression);
  const known = new Set([...added, ...metrics.flatMap((metric) => labels.get(metric) ?? [])]);
  return [
    ...metrics.filter((metric) => !labels.has(metric)),
    ...used.filter((label) => !known.has(label)).map((label) => `label ${label}`),
  ];
}

test('what does not exist is found', () => {
  expect(wrong('rate(nodeledger_nope_total[5m])')).toEqual(['nodeledger_nope_total']);
  expect(wrong('sum by (nope) (nodeledger_lag_records)')).toEqual(['label nope']);
  expect(wrong('nodeledger_lag_records{nope="1"}')).toEqual(['label nope']);
  expect(() => wrong('rate(nodeledger_nodes[5m]')).toThrow('cannot be read');
});

test('the scrape file asks the right path, and loads the rules', () => {
  const { rule_files: rules, scrape_configs: jobs } = parse(read('prometheus/prometheus.yml')) as {
    rule_files: string[];
    scrape_configs: { job_name: string; metrics_path: string }[];
  };
  expect(rules).toEqual(['nodeledger-alerts.yml']);
  expect(jobs.map(({ job_name, metrics_path }) => [job_name, metrics_path])).toEqual([['nodeledger', '/metrics']]);
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}
const { groups } = parse(read('prometheus/nodeledger-alerts.yml')) as { groups: { name: string; rules: Rule[] }[] };

test.each(groups.flatMap(({ rules }) => rules).map((rule) => [rule.alert, rule]))('alert %s', (_, rule) => {
  expect(wrong(rule.expr)).toEqual([]);
  expect(rule.annotations.summary).not.toBe('');
});

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}
interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}
const dashboard = JSON.parse(read('grafana/nodeledger.json')) as Dashboard;

test.each(dashboard.panels.map((panel) => [panel.title, panel]))('panel %s', (_, { targets }) => {
  expect(targets.length).toBeGreaterThan(0);
  for (const { expr, legendFormat } of targets) {
    expect(wrong(expr)).toEqual([]);
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
    const known = [...added, ...namesOf(expr).metrics.flatMap((metric) => labels.get(metric) ?? [])];
    expect(known).toEqual(expect.arrayContaining(shown));
  }
});

test('the variable of the dashboard asks a metric that exists', () => {
  const { definition = '' } = dashboard.templating.list.find(({ name }) => name === 'instance') ?? {};
  expect(labels.has(/^label_values\((\w+), instance\)$/.exec(definition)?.[1] ?? '')).toBe(true);
});
