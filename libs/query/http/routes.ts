/**
 * The paths below `/pdb/query/v4`, one line each. A path with a parent answers 404 when that record does not exist; its
 * rows are restricted to the path's values. `:name` is a variable for one path segment, decoded.
 */
export interface Route {
  readonly path: string;
  /** Absent at the root, where the query names the entity. */
  readonly entity?: string;
  readonly answer: 'list' | 'record' | 'report-part';
  readonly parameters: ParameterSet;
  /** The field that must equal each path variable. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The object that the path names. The service checks that it exists only if the query returns no rows. */
  readonly parent?: ParentName;
  /** `all`: the rows of inactive nodes are shown, too. */
  readonly scope?: 'all';
  /** Absent if all editions have the data. */
  readonly edition?: 'full';
}

export type ParameterSet = 'root' | 'list' | 'bare' | 'events' | 'event-counts' | 'aggregate-event-counts';
export type ParentName = 'node' | 'catalog' | 'factset' | 'environment' | 'producer' | 'report';

/** How a parent is looked up: the field, and the path variable with its value. */
interface Parent {
  readonly entity: string;
  readonly field: string;
  readonly variable: string;
  /** A further condition, if the entity does not show all its rows by default. */
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
  // Environments and producers take no query.
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

/** `facts`, `facts/NAME`, `facts/NAME/VALUE` below a prefix. */
const facts = (prefix: string, options: Options = {}): Route[] => [
  list(`${prefix}facts`, 'facts', options),
  list(`${prefix}facts/:name`, 'facts', { ...options, fields: { ...options.fields, name: 'name' } }),
  list(`${prefix}facts/:name/:value`, 'facts', {
    ...options,
    fields: { ...options.fields, name: 'name', value: 'value' },
  }),
];

/** `resources`, `resources/TYPE`, `resources/TYPE/TITLE` below a prefix. */
const resources = (prefix: string, options: Options = {}): Route[] => [
  list(`${prefix}resources`, 'resources', options),
  list(`${prefix}resources/:type`, 'resources', { ...options, fields: { ...options.fields, type: 'type' } }),
  list(`${prefix}resources/:type/:title`, 'resources', {
    ...options,
    fields: { ...options.fields, type: 'type', title: 'title' },
  }),
];

/** Below one report: events as a query, logs, metrics and resources as they were sent. */
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
