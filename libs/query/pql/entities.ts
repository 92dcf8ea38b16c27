import type { Language } from '../operators/language';

/** Entities that PQL can query, as in PuppetDB. JSON queries can use more entities. */
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

export const pqlDottedFields = (language: Language): readonly string[] =>
  language.has('metrics') ? [...dottedFields, 'metrics'] : dottedFields;

const dottedFields: readonly string[] = ['facts', 'parameters', 'trusted'];
