import { keyedText } from '../kinds/keyed-text';
import { sql, table } from '../sql/fragment';
import type { Entity } from './entity';
import { listedPath } from './fact-paths';

/** The names of facts that have a listed path; each path is looked up once, whatever the number of nodes. */
export const factNames: Entity = {
  name: 'fact_names',
  title: 'fact_names',
  from: sql`(SELECT DISTINCT p.fact, p.name FROM ${table('fact_paths')} p
    WHERE ${listedPath} AND EXISTS (SELECT FROM ${table('fact_contents')} c WHERE c.path = p.path)) f`,
  joins: {},
  activeOnly: { path: false, root: false },
  fields: [{ name: 'name', kind: keyedText(sql`f.name`, [], 'fact', sql`f.fact`) }],
  bare: 'name',
  sortedBy: ['name'],
  relations: {},
};
