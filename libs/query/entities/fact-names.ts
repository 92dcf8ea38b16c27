import { sql, table } from '../sql/fragment';
import type { Entity } from './entity';

/** The distinct names of facts, found by hopping along the index of the facts' keys: one step a name, not a row. */
export const factNames: Entity = {
  name: 'fact_names',
  title: 'fact_names',
  from: sql`(WITH RECURSIVE hop (fact) AS (
      (SELECT x.fact FROM ${table('facts')} x ORDER BY x.fact LIMIT 1)
      UNION ALL
      SELECT (SELECT x.fact FROM ${table('facts')} x WHERE x.fact > hop.fact ORDER BY x.fact LIMIT 1)
      FROM hop WHERE hop.fact IS NOT NULL
    )
    SELECT hop.fact, (SELECT x.name FROM ${table('facts')} x WHERE x.fact = hop.fact LIMIT 1) AS name
    FROM hop WHERE hop.fact IS NOT NULL) f`,
  joins: {},
  activeOnly: { path: false, root: false },
  fields: [{ name: 'name', type: 'text', value: sql`f.name`, key: { domain: 'fact', value: sql`f.fact` } }],
  relations: {},
};
