/** The questions that are asked about moments: a sample of the public corpus, and our own for each entity and operator. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFault } from '#fault';
import { defaultLimits } from '#limits';
import { compileRequest, type CompiledRequest } from '../../libs/query/http/compile-request';
import { matchRoute, type RouteMatch } from '../../libs/query/http/match-route';
import { entities } from '../../libs/query/entities/registry';
import { fullLanguage } from '../../libs/query/operators/language';
import type { QuerySettings } from '../../libs/query/run/query-options';
import { operatorProbes } from '../support/operator-probes';

const root = '/pdb/query/v4';
const corpusFolder = join(__dirname, '../conformance/corpus');

export const settings: QuerySettings = {
  edition: 'full',
  dialect: 'neutral',
  // So that nodes stop to be inactive between two moments.
  nodePurgeTtlMs: 3_000,
  limits: defaultLimits,
};

/** One request. */
export interface Question {
  readonly name: string;
  readonly match: RouteMatch;
  readonly parameters: Readonly<Record<string, string>>;
  /** The order of the rows is a part of the answer. */
  readonly isOrdered: boolean;
}

/** Compiles the question, about now or about a moment. */
export function compiled({ match, parameters }: Question, asOf?: string): CompiledRequest {
  const given = new URLSearchParams({ ...parameters, ...(asOf !== undefined && { as_of: asOf }) });
  return compileRequest({ match, url: `/?${given}`, settings });
}

function question(path: string, parameters: Record<string, unknown> = {}, isOrdered = false): Question {
  const match = matchRoute(path);
  if (match === undefined) throw new Error(`there is no path ${path}`);
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { name: `${path} ${JSON.stringify(parameters)}`, match, parameters: Object.fromEntries(texts), isOrdered };
}

const pql = (query: string, isOrdered = false): Question => question('', { query }, isOrdered);

/** A line of the corpus. `{{name}}` in it stands for a value of the dataset. */
interface CorpusLine {
  readonly path: string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly ordered?: boolean;
  readonly error?: unknown;
  readonly headers?: unknown;
}

const hasPages = /"?(limit|offset)"?[ :,=]/;

/**
 * Every `step`th query of the corpus that can be answered. `variables` gives the value of a variable. `pages`: queries
 * that return a part of the rows, whose order only the dataset of the corpus makes unambiguous.
 */
export function corpusQuestions(step: number, variables: (name: string) => string, pages: boolean): Question[] {
  const lines = readdirSync(corpusFolder)
    .sort()
    .flatMap((file) => readFileSync(join(corpusFolder, file), 'utf8').split('\n'))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as CorpusLine)
    .filter(({ method, error, headers, path }) => method === undefined && !error && !headers && path.startsWith(root));
  return lines
    .filter((_, index) => index % step === 0)
    .filter((line) => pages || !hasPages.test(JSON.stringify(line.params ?? {})))
    .flatMap(({ path, params = {}, ordered = false }) => {
      const fill = (text: string, escaped: (value: string) => string): string =>
        text.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => escaped(variables(name)));
      const filled = Object.fromEntries(
        Object.entries(params).map(([name, value]) => [
          name,
          typeof value === 'string'
            ? fill(value, (one) => one)
            : fill(JSON.stringify(value), (one) => JSON.stringify(one).slice(1, -1)),
        ]),
      );
      const [only = '', ...others] = fill(path, encodeURIComponent)
        .slice(root.length + 1)
        .split('?');
      if (others.length > 0 || matchRoute(only) === undefined) return [];
      const found = question(only, filled, ordered && pages);
      return isAnswered(found) ? [found] : [];
    });
}

function isAnswered(asked: Question): boolean {
  try {
    return compiled(asked).ast === undefined;
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}

/** Each field of each entity with each operator that it has, every `step`th. */
export function operatorQuestions(step: number): Question[] {
  const found: Question[] = [];
  let count = 0;
  for (const { name, fields } of entities)
    for (const field of fields)
      for (const [operator, values] of operatorProbes)
        for (const value of values) {
          const asked = question('', { query: ['from', name, [operator, field.name, value]] });
          if (!isAnswered(asked)) continue;
          if (count++ % step === 0) found.push(asked);
          break;
        }
  return found;
}

const everything: readonly Question[] = [
  ...['nodes', 'facts', 'factsets', 'fact-names', 'fact-contents', 'fact-paths', 'inventory', 'catalogs', 'resources'],
  ...['edges', 'catalog-inputs', 'catalog-input-contents', 'reports', 'events', 'environments', 'producers'],
  ...['packages', 'package-inventory'],
].map((path) => question(path));

const ofNode = (node: string): Question[] =>
  [
    ...[
      `nodes/${node}`,
      `nodes/${node}/facts`,
      `nodes/${node}/resources`,
      `factsets/${node}`,
      `factsets/${node}/facts`,
    ],
    ...[`catalogs/${node}`, `catalogs/${node}/edges`, `catalogs/${node}/resources`, `nodes/${node}/facts/os`],
    `package-inventory/${node}`,
  ].map((path) => question(path));

const counted = (subject: string): Question[] => [
  question('event-counts', { summarize_by: subject }),
  question('event-counts', { summarize_by: subject, count_by: 'certname', counts_filter: ['>', 'failures', 0] }),
  question('event-counts', { summarize_by: subject, query: ['=', 'latest_report?', true], include_total: 'true' }),
  question('aggregate-event-counts', { summarize_by: subject, query: ['~', 'certname', '.'] }),
];

const states = ['active', 'inactive', 'any'];

/** Questions about the small fleets of the schedules: nodes a, b and c, with times in the first seconds of 2026. */
export const ownQuestions: readonly Question[] = [
  ...everything,
  ...['a', 'b', 'c'].flatMap(ofNode),
  ...['certname', 'containing_class', 'resource'].flatMap(counted),
  question('environments/test/facts'),
  question('environments/test/reports'),
  question('environments/test/resources'),
  question('environments/production'),
  question('producers/puppet.test/catalogs'),
  question('factsets', { include_package_inventory: 'true' }),
  question('nodes', { include_facts_expiration: 'true' }),
  question('nodes', { include_total: 'true', limit: '1', order_by: [{ field: 'certname' }] }, true),
  question('nodes', { include_total: 'true', offset: '1', order_by: [{ field: 'certname', order: 'desc' }] }, true),
  question('facts', { limit: '2', offset: '1', order_by: [{ field: 'certname' }, { field: 'name' }] }, true),
  question('events', {
    distinct_resources: 'true',
    distinct_start_time: '2026-01-01',
    distinct_end_time: '2026-01-02',
  }),
  ...states.flatMap((state) => [
    question('nodes', { query: ['=', 'node_state', state] }),
    question('facts', { query: ['=', 'node_state', state], include_total: 'true' }),
    pql(`resources[count()] { node_state = "${state}" }`),
    pql(`reports[certname, status] { node_state = "${state}" }`),
  ]),
  // Unreported, as the clients ask it.
  pql('nodes { report_timestamp < now() - 2s or report_timestamp is null }'),
  pql('nodes[certname] { report_timestamp > now() - 3s and catalog_timestamp <= now() - 1s }'),
  pql('nodes[certname] { facts_timestamp > "4 seconds ago" }'),
  pql('reports[certname] { producer_timestamp >= now() - 1s }'),
  pql('nodes[count()] { deactivated is not null or expired is not null and node_state = "inactive" }'),
  pql('nodes { !(latest_report_status = "failed") }'),
  pql('nodes[certname, latest_report_hash, latest_report_status] { latest_report_hash is not null }'),
  pql('facts[value, count()] { name = "os" group by value }'),
  pql('facts[name, count()] { group by name order by count() desc, name }', true),
  pql('facts[avg(value), sum(value), min(value), max(value)] { name = "mem" }'),
  pql('facts[value] { name = "os" group by value having count() > 1 }'),
  pql('facts[distinct name] { }'),
  pql('facts[count_distinct(value)] { }'),
  pql('inventory[certname, facts.os.release.major] { facts.os.name = "debian" }'),
  pql('inventory[certname] { facts.mem > 1 and facts.up = true }'),
  pql('inventory { facts.os = "rocky" or facts.disks[0] = "sda" }'),
  pql('inventory[certname, trusted] { }'),
  pql('fact_contents { path ~> ["os", "release", ".*"] }'),
  pql('fact_contents[path, value] { value = 12 or value = "sda" or value is null }'),
  pql('fact_contents { path = ["disks", 1, "size"] and value >= 7 }'),
  pql('fact_contents[path] { name in ["os", "mem"] }'),
  pql('fact_paths { type = "integer" }'),
  pql('fact_paths { path ~> ["d.*", "0"] }'),
  pql('nodes[certname] { facts { name = "os" and value = "debian" } }'),
  pql('nodes[certname] { fact_contents { path = ["os", "name"] and value = "debian" } }'),
  pql('nodes[certname] { !(certname in facts[certname] { name = "up" and value = true }) }'),
  question('nodes', { query: ['=', ['fact', 'os'], 'rocky'] }),
  question('nodes', { query: ['~', ['fact', 'os'], 'deb'] }),
  question('nodes', { query: ['or', ['>', ['fact', 'mem'], 1], ['=', ['fact', 'up'], true]] }),
  question('resources', { query: ['=', ['parameter', 'ensure'], 'absent'] }),
  question('resources/File/%2Fa'),
  pql('resources[certname, title] { type = "File" and parameters.ensure = "file" and tag = "class" }'),
  pql('resources[type, count()] { group by type }'),
  pql('resources[certname, count()] { group by certname }'),
  pql('resources[count()] { }'),
  pql('resources { environment = "test" and line > 1 }'),
  pql('nodes[certname] { resources { title = "/b" } and !(resources { title = "/c" }) }'),
  pql('nodes[certname] { certname in resources[certname] { title ~ "^/[ab]" group by certname having count() > 1 } }'),
  pql('edges[source_title, target_title] { relationship = "before" }'),
  pql('catalogs[certname] { edges { source_title = "/a" } }'),
  pql('catalogs[certname, version, hash, environment] { version = "2" }'),
  question('catalog-input-contents', { query: ['~', 'name', 't'] }),
  question('catalog-inputs', { query: ['in', 'certname', ['array', ['a', 'c']]] }),
  pql('package_inventory { package_name = "vim" }'),
  pql('package_inventory[version, count()] { package_name = "vim" group by version }'),
  pql('package_inventory[certname] { package_name = "vim" and version(version) < version("9.1") }'),
  pql('packages { provider = "gem" }'),
  pql('nodes[certname] { certname in package_inventory[certname] { package_name ~ "ssl" } }'),
  pql('reports { latest_report? = true }'),
  pql('reports { latest_report? = false and type = "any" }'),
  pql('reports[count()] { type = "plan" }'),
  pql('reports[hash, resource_events, logs, metrics] { }'),
  pql('reports[status, count()] { group by status }'),
  pql('events { latest_report? = true and status = "failure" }'),
  pql('events[certname, containing_class, count()] { group by certname, containing_class }'),
  pql('events[count()] { corrective_change = true }'),
  pql('events { reports { latest_report? = true } }'),
  pql('nodes[certname] { events { status in ["failure", "noop"] } }'),
  question('', { query: ['from', 'fact_names'] }),
  pql('environments { facts { name = "os" } }'),
  pql('environments { reports { status = "failed" } }'),
  question('producers', { query: ['~', 'name', 'puppet'] }),
  pql('factsets[certname, hash, producer_timestamp] { environment is null }'),
  pql('nodes[certname, facts_environment, catalog_environment, report_environment] { }'),
];

/** Fails where a question of ours no longer exists in the language. */
export const unknownOperators = (questions: readonly Question[]): string[] => {
  const texts = questions.map(({ parameters }) => parameters['query'] ?? '');
  return fullLanguage.operatorNames.filter(
    (operator) => !texts.some((text) => text.includes(`"${operator}"`) || text.includes(` ${operator} `)),
  );
};
