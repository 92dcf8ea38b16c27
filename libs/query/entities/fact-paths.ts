import { integer } from '../kinds/integer';
import { keyedText } from '../kinds/keyed-text';
import { path } from '../kinds/path';
import { text } from '../kinds/text';
import { sql, table } from '../sql/fragment';
import type { Entity } from './entity';

/**
 * One row for each pair of a path and a type that at least one node has. The query looks up each pair in the index of
 * the contents, so the cost grows with the number of paths instead of nodes. LIMIT keeps PostgreSQL from scanning the
 * whole table.
 */
export const factPaths: Entity = {
  name: 'fact_paths',
  title: 'fact_paths',
  from: sql`(SELECT t.path, CASE t.type WHEN 's' THEN 'string' WHEN 'i' THEN 'integer' WHEN 'f' THEN 'float' WHEN 'b' THEN 'boolean'
      WHEN 'n' THEN 'null' END AS name
    FROM ${table('fact_path_types')} t
    WHERE (SELECT true FROM ${table('fact_contents')} c WHERE c.path = t.path AND c.type = t.type LIMIT 1)) t
    JOIN ${table('fact_paths')} p ON p.path = t.path`,
  joins: {},
  activeOnly: { path: false, root: false },
  where: sql`p.listed`,
  fields: [
    { name: 'type', kind: text(sql`t.name`), jsonText: sql`'"' || t.name || '"'` },
    {
      name: 'path',
      kind: path({
        elements: sql`p.elements`,
        spelled: sql`p.spelled`,
        key: sql`p.path`,
        wholeElements: true,
        thenBy: sql`t.name`,
      }),
      jsonText: sql`p.elements_text`,
    },
    { name: 'name', kind: keyedText(sql`p.name`, [], 'fact', sql`p.fact`) },
    { name: 'depth', kind: integer(sql`p.depth`), uses: ['ask', 'order'] },
  ],
  relations: {
    facts: { local: ['name'], foreign: ['name'] },
    fact_contents: { local: ['path'], foreign: ['path'] },
  },
};
