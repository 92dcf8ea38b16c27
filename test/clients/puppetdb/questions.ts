import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformanceFolder } from './conformance-folder';

/** A line of a corpus of test/conformance. */
export interface Question {
  readonly id: string;
  readonly area: string;
  readonly path: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly ordered?: true;
}

/** Errors and versions do not depend on stored documents. */
const withoutState = new Set(['errors', 'pql-errors', 'meta']);

/** Returns the questions of the corpus about stored documents. */
export function corpusQuestions(): Question[] {
  const folder = join(conformanceFolder, 'corpus');
  return readdirSync(folder)
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '' && !line.startsWith('//'))
    .map((line) => JSON.parse(line) as Question)
    .filter(({ area }) => !withoutState.has(area));
}

/** Every entity, and the fields by which its rows are grouped. */
const entities: Readonly<Record<string, readonly string[]>> = {
  nodes: ['facts_environment', 'latest_report_status', 'latest_report_noop'],
  environments: ['name'],
  producers: ['name'],
  facts: ['name', 'environment', 'certname'],
  'fact-paths': ['type', 'name'],
  'fact-contents': ['name', 'certname'],
  factsets: ['producer', 'hash'],
  inventory: ['environment'],
  catalogs: ['environment', 'hash', 'catalog_uuid'],
  'catalog-inputs': ['certname'],
  'catalog-input-contents': ['type', 'name'],
  edges: ['relationship', 'source_type', 'target_type'],
  resources: ['type', 'exported', 'certname', 'file'],
  reports: ['status', 'noop', 'puppet_version', 'hash'],
  events: ['status', 'resource_type', 'containing_class', 'property'],
  packages: ['provider', 'package_name'],
  'package-inventory': ['certname', 'provider'],
};

const pqlName = (entity: string): string => entity.replaceAll('-', '_');

/**
 * Questions about every entity in JSON and PQL: counts, groups, summaries, and the routes of one node. The question is
 * its own id.
 */
export function ownQuestions(certnames: readonly string[]): Question[] {
  return [...ofEntities(), ...ofEvents(), ...inPql(), ...certnames.flatMap(ofNode), ...ofRoutes()];
}

const asked = (path: string, query?: unknown, more: Readonly<Record<string, unknown>> = {}): Question => {
  const params = { ...(query === undefined ? {} : { query }), ...more };
  const says = query === undefined ? '' : ` ${typeof query === 'string' ? query : JSON.stringify(query)}`;
  const others = Object.entries(more).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return {
    id: `${path}${says}${others.join('')}`,
    area: 'own',
    path: `/pdb/query/v4${path === '' ? '' : `/${path}`}`,
    params,
    ...('order_by' in more ? { ordered: true } : {}),
  };
};

const count = ['function', 'count'];

function ofEntities(): Question[] {
  return Object.entries(entities).flatMap(([entity, fields]) => [
    asked(entity),
    asked(entity, ['extract', [count]]),
    ...fields.map((field) => asked(entity, ['extract', [field, count], ['group_by', field]])),
    asked('', `${pqlName(entity)} {}`),
    asked('', `${pqlName(entity)}[count()] {}`),
    // PuppetDB answers with 500 if it counts producers in this way.
    ...(entity === 'producers' ? [] : [asked('', ['from', pqlName(entity), ['extract', [count]]])]),
  ]);
}

function ofEvents(): Question[] {
  const all = ['~', 'certname', ''];
  const ways = ['certname', 'resource', 'containing_class'];
  return [
    ...ways.map((way) => asked('event-counts', all, { summarize_by: way })),
    ...ways.map((way) =>
      asked('event-counts', ['=', 'status', 'success'], { summarize_by: way, count_by: 'certname' }),
    ),
    ...ways.map((way) => asked('aggregate-event-counts', all, { summarize_by: way })),
    asked('events', ['=', 'latest_report?', true]),
    asked('reports', ['=', 'latest_report?', true]),
  ];
}

function inPql(): Question[] {
  return [
    'nodes[certname] { facts { name = "kernel" and value = "Linux" } }',
    'nodes[certname] { resources { type = "Class" } order by certname }',
    'facts[value, count()] { name = "kernel" group by value }',
    'inventory[certname, facts.kernel, facts.os.family] { facts.kernel ~ "." }',
    'resources[type, title] { exported = true }',
    'resources[certname, title] { parameters.ensure = "present" }',
    'reports[certname, max(end_time)] { group by certname }',
    'reports[avg(report_format), count()] {}',
    'events[count()] { corrective_change = false }',
    'edges[source_title, target_title] { relationship = "contains" }',
    'fact_contents { path ~> ["os", ".*"] }',
    'package_inventory[package_name, count()] { group by package_name }',
    'catalogs[certname, catalog_uuid] { nodes { report_environment = "production" } }',
  ].map((query) => asked('', query));
}

function ofNode(certname: string): Question[] {
  const node = encodeURIComponent(certname);
  const routes = ['nodes/X', 'nodes/X/facts', 'nodes/X/facts/kernel', 'nodes/X/resources', 'nodes/X/resources/Class'];
  routes.push('factsets/X', 'catalogs/X', 'catalogs/X/resources', 'package-inventory/X');
  return [
    ...routes.map((route) => asked(route.replace('X', node))),
    asked('reports', ['=', 'certname', certname], { order_by: [{ field: 'producer_timestamp', order: 'desc' }] }),
  ];
}

function ofRoutes(): Question[] {
  const ofEnvironment = ['facts', 'resources', 'events', 'reports', 'catalogs', 'factsets', 'inventory'];
  return [
    ...ofEnvironment.map((entity) => asked(`environments/production/${entity}`)),
    asked('fact-names'),
    asked('facts/kernel'),
    asked('facts/kernel/Linux'),
    asked('resources/Class'),
    asked('resources/File'),
    asked('nodes', ['~', 'certname', ''], { order_by: [{ field: 'certname' }], limit: 2, include_total: true }),
  ];
}
