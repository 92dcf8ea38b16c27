import type { Language } from '../operators/language';

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

/** Fields that can be followed by a dotted path. */
export const pqlDottedFields = (language: Language): readonly string[] =>
  language.has('metrics') ? [...dottedFields, 'metrics'] : dottedFields;

const dottedFields: readonly string[] = ['facts', 'parameters', 'trusted'];
