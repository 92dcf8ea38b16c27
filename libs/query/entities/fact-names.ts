import { keyedText } from '../kinds/keyed-text';
import { sql, table } from '../sql/fragment';
import type { Entity } from './entity';

/**
 * The names of facts. A name is listed if contents are stored for at least one listed path of the fact. The recursive
 * query jumps from one name to the next in the index on facts, so the cost grows with the number of names instead of
 * paths.
 */
export const factNames: Entity = {
  name: 'fact_names',
  title: 'fact_names',
  from: sql`(WITH RECURSIVE every (fact) AS (
      (SELECT p.fact FROM ${table('fact_paths')} p ORDER BY p.fact LIMIT 1)
      UNION ALL
      SELECT (SELECT p.fact FROM ${table('fact_paths')} p WHERE p.fact > e.fact ORDER BY p.fact LIMIT 1)
      FROM every e WHERE e.fact IS NOT NULL)
    SELECT used.fact, used.name FROM every
    CROSS JOIN LATERAL (SELECT p.fact, p.name FROM ${table('fact_paths')} p WHERE p.fact = every.fact AND p.listed
      AND EXISTS (SELECT FROM ${table('fact_contents')} c WHERE c.path = p.path) LIMIT 1) used) f`,
  joins: {},
  activeOnly: { path: false, root: false },
  fields: [{ name: 'name', kind: keyedText(sql`f.name`, [], 'fact', sql`f.fact`) }],
  bare: 'name',
  sortedBy: ['name'],
  relations: {},
};
