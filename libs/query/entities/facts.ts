import { sql, table } from '../sql/fragment';
import { byCertname, byEnvironment, type Entity, factOf } from './entity';

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
    {
      name: 'certname',
      type: 'text',
      value: sql`n.certname`,
      needs: ['node'],
      key: { domain: 'node', value: sql`f.node` },
    },
    {
      name: 'environment',
      type: 'text',
      value: sql`env.name`,
      needs: ['environment'],
      key: { domain: 'environment', value: sql`s.environment`, needs: ['factset'] },
    },
    { name: 'name', type: 'text', value: sql`f.name`, key: { domain: 'fact', value: sql`f.fact` } },
    {
      name: 'value',
      type: 'value',
      value: sql`f.value`,
      output: sql`coalesce(f.spelled::json, f.value::json)`,
      spelled: sql`f.spelled`,
      nodeOfFact: sql`f.node`,
    },
  ],
  keyed: factOf(sql`f.node`),
  relations: {
    ...byCertname,
    ...byEnvironment,
    fact_contents: { local: ['certname', 'name'], foreign: ['certname', 'name'] },
  },
};
