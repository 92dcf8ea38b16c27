import { functionNames } from '../operators/functions';

/** The entities that a PQL query can name. Longer lists exist for the JSON form; PQL's own list is fixed. */
export const pqlEntities: readonly string[] = [
  'catalogs',
  'edges',
  'environments',
  'events',
  'fact_contents',
  'fact_paths',
  'facts',
  'factsets',
  'inventory',
  'nodes',
  'package_inventory',
  'packages',
  'reports',
  'resources',
];

/** Functions of a projection or a `group by`. */
export const pqlFunctions: readonly string[] = [...functionNames].sort();

/** Fields that can be followed by a dotted path. */
export const pqlDottedFields: readonly string[] = ['facts', 'parameters', 'trusted'];
