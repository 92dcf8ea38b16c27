import { factValue } from '../kinds/fact-value';
import { keyedText } from '../kinds/keyed-text';
import { namedFact } from '../kinds/named-fact';
import { sql, table } from '../sql/fragment';
import { certname, environment } from './common-fields';
import { byCertname, byEnvironment, type Entity } from './entity';

export const facts: Entity = {
  name: 'facts',
  title: 'facts',
  from: sql`${table('facts')} f`,
  joins: {
    node: { sql: sql`JOIN ${table('nodes')} n ON n.node = f.node` },
    factset: { sql: sql`LEFT JOIN ${table('factsets')} s ON s.node = f.node` },
    environment: {
      sql: sql`LEFT JOIN ${table('environments')} env ON env.environment = s.environment`,
      after: ['factset'],
    },
  },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [
    certname(sql`f.node`),
    environment(sql`s.environment`, ['factset']),
    { name: 'name', kind: keyedText(sql`f.name`, [], 'fact', sql`f.fact`) },
    {
      name: 'value',
      kind: factValue(sql`f.value`, sql`f.spelled`, sql`f.node`),
      jsonText: sql`coalesce(f.spelled, f.value::text)`,
    },
  ],
  keyed: { fact: namedFact(sql`f.node`) },
  relations: {
    ...byCertname,
    ...byEnvironment,
    fact_contents: { local: ['certname', 'name'], foreign: ['certname', 'name'] },
  },
};
