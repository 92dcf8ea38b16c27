/**
 * A path below `/pdb/query/v4`. A segment `:name` is a variable. The answer contains only rows with the decoded value
 * of this segment.
 */
export interface Route {
  readonly path: string;
  /** Absent at the root, where the query names the entity. */
  readonly entity?: string;
  readonly answer: 'list' | 'record' | 'report-part';
  readonly parameters: ParameterSet;
  /** Maps the name of each path variable to the name of the field that must equal the variable. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The record that the path names. If no row matches and this record does not exist, the service answers 404. */
  readonly parent?: ParentName;
  /** `all` includes rows of inactive nodes. */
  readonly scope?: 'all';
  /** The only edition that has the data. Absent if all editions have the data. */
  readonly edition?: 'full';
}

export type ParameterSet = 'root' | 'list' | 'bare' | 'events' | 'event-counts' | 'aggregate-event-counts';
export type ParentName = 'node' | 'catalog' | 'factset' | 'environment' | 'producer' | 'report';

/** How to look up a parent. The path variable `variable` contains the value of `field`. */
interface Parent {
  readonly entity: string;
  readonly field: string;
  readonly variable: string;
  /** A second condition, for an entity that hides some rows by default. */
  readonly also?: readonly string[];
}

export const parents: Readonly<Record<ParentName, Parent>> = {
  node: { entity: 'nodes', field: 'certname', variable: 'certname' },
  catalog: { entity: 'catalogs', field: 'certname', variable: 'certname' },
  factset: { entity: 'factsets', field: 'certname', variable: 'certname' },
  environment: { entity: 'environments', field: 'name', variable: 'environment' },
  producer: { entity: 'producers', field: 'name', variable: 'producer' },
  report: { entity: 'reports', field: 'hash', variable: 'report', also: ['=', 'type', 'any'] },
};

type Options = Partial<Omit<Route, 'path' | 'entity'>>;

const list = (path: string, entity: string, options: Options = {}): Route => ({
  path,
  entity,
  answer: 'list',
  parameters: 'list',
  ...options,
});
const record = (path: string, entity: string, parent: ParentName, fields: Record<string, string>): Route => ({
  path,
  entity,
  answer: 'record',
  // PuppetDB accepts no query at the paths of one environment or producer.
  parameters: parent === 'environment' || parent === 'producer' ? 'bare' : 'list',
  parent,
  fields,
  scope: 'all',
});
const reportPart = (path: string, fields: Record<string, string>, options: Options = {}): Route => ({
  path,
  entity: 'reports',
  answer: 'report-part',
  parameters: 'bare',
  parent: 'report',
  fields,
  ...options,
});

const facts = (prefix: string, options: Options = {}): Route[] => [
  list(`${prefix}facts`, 'facts', options),
  list(`${prefix}facts/:name`, 'facts', { ...options, fields: { ...options.fields, name: 'name' } }),
  list(`${prefix}facts/:name/:value`, 'facts', {
    ...options,
    fields: { ...options.fields, name: 'name', value: 'value' },
  }),
];

const resources = (prefix: string, options: Options = {}): Route[] => [
  list(`${prefix}resources`, 'resources', options),
  list(`${prefix}resources/:type`, 'resources', { ...options, fields: { ...options.fields, type: 'type' } }),
  list(`${prefix}resources/:type/:title`, 'resources', {
    ...options,
    fields: { ...options.fields, type: 'type', title: 'title' },
  }),
];

/** The events are rows of their own entity. The logs, metrics and resources are parts of the row of the report. */
const ofReport = (prefix: string, fields: Record<string, string>): Route[] => [
  list(`${prefix}reports/:report/events`, 'events', { parent: 'report', fields: { ...fields, report: 'report' } }),
  reportPart(`${prefix}reports/:report/logs`, { ...fields, report: 'hash' }),
  reportPart(`${prefix}reports/:report/metrics`, { ...fields, report: 'hash' }),
  reportPart(`${prefix}reports/:report/resources`, { ...fields, report: 'hash' }, { edition: 'full' }),
];

const node = { certname: 'certname' };
const environment = { environment: 'environment' };
const producer = { producer: 'producer' };

export const routes: readonly Route[] = [
  { path: '', answer: 'list', parameters: 'root' },

  list('nodes', 'nodes'),
  record('nodes/:certname', 'nodes', 'node', node),
  ...facts('nodes/:certname/', { parent: 'node', fields: node }),
  ...resources('nodes/:certname/', { parent: 'node', fields: node }),

  ...facts(''),
  list('factsets', 'factsets'),
  record('factsets/:certname', 'factsets', 'factset', node),
  list('factsets/:certname/facts', 'facts', { parent: 'factset', fields: node, scope: 'all' }),
  list('fact-names', 'fact_names'),
  list('fact-contents', 'fact_contents'),
  list('fact-paths', 'fact_paths'),
  list('inventory', 'inventory'),

  list('catalogs', 'catalogs'),
  record('catalogs/:certname', 'catalogs', 'catalog', node),
  list('catalogs/:certname/edges', 'edges', { parent: 'catalog', fields: node, scope: 'all' }),
  ...resources('catalogs/:certname/', { parent: 'catalog', fields: node, scope: 'all' }),
  ...resources(''),
  list('edges', 'edges'),
  list('catalog-inputs', 'catalog_inputs'),
  list('catalog-input-contents', 'catalog_input_contents'),

  list('reports', 'reports'),
  ...ofReport('', {}),
  list('events', 'events', { parameters: 'events' }),
  list('event-counts', 'event-counts', { parameters: 'event-counts' }),
  list('aggregate-event-counts', 'aggregate-event-counts', { parameters: 'aggregate-event-counts' }),

  list('environments', 'environments'),
  record('environments/:environment', 'environments', 'environment', { environment: 'name' }),
  ...facts('environments/:environment/', { parent: 'environment', fields: environment }),
  ...resources('environments/:environment/', { parent: 'environment', fields: environment }),
  list('environments/:environment/events', 'events', { parent: 'environment', fields: environment }),
  list('environments/:environment/reports', 'reports', { parent: 'environment', fields: environment }),
  ...ofReport('environments/:environment/', environment),

  list('producers', 'producers'),
  record('producers/:producer', 'producers', 'producer', { producer: 'name' }),
  list('producers/:producer/factsets', 'factsets', { parent: 'producer', fields: producer }),
  list('producers/:producer/catalogs', 'catalogs', { parent: 'producer', fields: producer }),
  list('producers/:producer/reports', 'reports', { parent: 'producer', fields: producer }),
  record('producers/:producer/factsets/:certname', 'factsets', 'factset', { ...producer, ...node }),
  record('producers/:producer/catalogs/:certname', 'catalogs', 'catalog', { ...producer, ...node }),

  list('packages', 'packages'),
  list('package-inventory', 'package_inventory'),
  list('package-inventory/:certname', 'package_inventory', { fields: node }),
];
