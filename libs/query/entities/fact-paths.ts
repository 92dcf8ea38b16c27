import { integer } from '../kinds/integer';
import { keyedText } from '../kinds/keyed-text';
import { path } from '../kinds/path';
import { text } from '../kinds/text';
import { sql, table } from '../sql/fragment';
import type { Entity } from './entity';

// A key that is empty, all digits or holds `#~` cannot be distinguished from an index or a separator in the reference's spelling
// of paths, which leaves such a path out of its list.
export const listedPath = sql`NOT jsonb_path_exists(p.elements, '$[*] ? (@ like_regex "^([0-9]*|.*#~.*)$" flag "s")')`;

/**
 * One row a path and type that some node has. The types of a path are looked up in the index of the contents, from each to
 * the next, so the cost follows the number of paths and not of nodes.
 */
export const factPaths: Entity = {
  name: 'fact_paths',
  title: 'fact_paths',
  from: sql`${table('fact_paths')} p CROSS JOIN LATERAL (
    WITH RECURSIVE found (code) AS (
      (SELECT c.type FROM ${table('fact_contents')} c WHERE c.path = p.path ORDER BY c.type LIMIT 1)
      UNION ALL
      SELECT (SELECT c.type FROM ${table('fact_contents')} c WHERE c.path = p.path AND c.type > found.code
        ORDER BY c.type LIMIT 1) FROM found WHERE found.code IS NOT NULL)
    SELECT CASE found.code WHEN 's' THEN 'string' WHEN 'i' THEN 'integer' WHEN 'f' THEN 'float' WHEN 'b' THEN 'boolean'
      WHEN 'n' THEN 'null' END AS name FROM found WHERE found.code IS NOT NULL) t`,
  joins: {},
  activeOnly: { path: false, root: false },
  where: listedPath,
  fields: [
    { name: 'type', kind: text(sql`t.name`) },
    {
      name: 'path',
      kind: path({
        elements: sql`p.elements`,
        spelled: sql`p.spelled`,
        key: sql`p.path`,
        wholeElements: true,
        thenBy: sql`t.name`,
      }),
    },
    { name: 'name', kind: keyedText(sql`p.name`, [], 'fact', sql`p.fact`) },
    { name: 'depth', kind: integer(sql`p.depth`), uses: ['ask', 'order'] },
  ],
  relations: {
    facts: { local: ['name'], foreign: ['name'] },
    fact_contents: { local: ['path'], foreign: ['path'] },
  },
};
