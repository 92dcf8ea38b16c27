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
 * One row a path and type that some node has. Each pair is looked up in the index of the contents, so the cost follows
 * the number of paths and not of nodes.
 */
export const factPaths: Entity = {
  name: 'fact_paths',
  title: 'fact_paths',
  from: sql`${table('fact_paths')} p CROSS JOIN (VALUES ('i', 'integer'), ('s', 'string'), ('f', 'float'),
    ('b', 'boolean'), ('n', 'null')) t (code, name)`,
  joins: {},
  activeOnly: { path: false, root: false },
  where: sql`EXISTS (SELECT FROM ${table('fact_contents')} c WHERE c.path = p.path AND c.type = t.code::"char")
    AND ${listedPath}`,
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
