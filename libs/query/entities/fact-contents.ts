import { keyedText } from '../kinds/keyed-text';
import { leafValue } from '../kinds/leaf-value';
import { namedFact } from '../kinds/named-fact';
import { path } from '../kinds/path';
import { sql, table } from '../sql/fragment';
import { certname, environment } from './common-fields';
import { byCertname, byEnvironment, type Entity } from './entity';

export const factContents: Entity = {
  name: 'fact_contents',
  title: 'fact_nodes',
  from: sql`${table('fact_contents')} c`,
  joins: {
    node: { sql: sql`JOIN ${table('nodes')} n ON n.node = c.node` },
    path: { sql: sql`JOIN ${table('fact_paths')} p ON p.path = c.path` },
    factset: { sql: sql`LEFT JOIN ${table('factsets')} s ON s.node = c.node` },
    environment: {
      sql: sql`LEFT JOIN ${table('environments')} env ON env.environment = s.environment`,
      after: ['factset'],
    },
  },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [
    certname(sql`c.node`),
    environment(sql`s.environment`, ['factset']),
    {
      name: 'path',
      kind: path({ elements: sql`p.elements`, spelled: sql`p.spelled`, needs: ['path'], key: sql`c.path` }),
      jsonText: sql`p.elements_text`,
    },
    { name: 'name', kind: keyedText(sql`p.name`, ['path'], 'fact', sql`p.fact`, ['path']) },
    { name: 'value', kind: leafValue(sql`c.value`, sql`c.spelled`), jsonText: sql`coalesce(c.spelled, c.value::text)` },
  ],
  keyed: { fact: namedFact(sql`c.node`) },
  relations: {
    ...byCertname,
    ...byEnvironment,
    facts: { local: ['certname', 'name'], foreign: ['certname', 'name'] },
  },
};
