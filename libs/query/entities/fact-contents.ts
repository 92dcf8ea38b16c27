import { sql, table } from '../sql/fragment';
import { byCertname, byEnvironment, type Entity, factOf } from './entity';

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
    {
      name: 'certname',
      type: 'text',
      value: sql`n.certname`,
      needs: ['node'],
      key: { domain: 'node', value: sql`c.node` },
    },
    {
      name: 'environment',
      type: 'text',
      value: sql`env.name`,
      needs: ['environment'],
      key: { domain: 'environment', value: sql`s.environment`, needs: ['factset'] },
    },
    {
      name: 'path',
      type: 'path',
      value: sql`p.elements`,
      needs: ['path'],
      sort: sql`p.spelled`,
      sortNeeds: ['path'],
      pathKey: sql`c.path`,
    },
    {
      name: 'name',
      type: 'text',
      value: sql`p.name`,
      needs: ['path'],
      key: { domain: 'fact', value: sql`p.fact`, needs: ['path'] },
    },
    {
      name: 'value',
      type: 'value',
      value: sql`c.value`,
      output: sql`coalesce(c.spelled::json, c.value::json)`,
      spelled: sql`c.spelled`,
      isLeaf: true,
    },
  ],
  keyed: factOf(sql`c.node`),
  relations: {
    ...byCertname,
    ...byEnvironment,
    facts: { local: ['certname', 'name'], foreign: ['certname', 'name'] },
  },
};
