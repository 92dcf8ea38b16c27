import { bind, sql, table } from '../sql/fragment';
import { key64 } from '../sql/keys';
import { byCertname, type Entity, factOf } from './entity';

const trusted = bind(key64('trusted'), 'bigint');

export const inventory: Entity = {
  name: 'inventory',
  title: 'inventory',
  from: sql`${table('factsets')} s`,
  joins: {
    node: { sql: sql`JOIN ${table('nodes')} n ON n.node = s.node` },
    environment: { sql: sql`LEFT JOIN ${table('environments')} env ON env.environment = s.environment` },
  },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [
    {
      name: 'certname',
      type: 'text',
      value: sql`n.certname`,
      needs: ['node'],
      key: { domain: 'node', value: sql`s.node` },
    },
    { name: 'timestamp', type: 'timestamp', value: sql`s.timestamp` },
    {
      name: 'environment',
      type: 'text',
      value: sql`env.name`,
      needs: ['environment'],
      key: { domain: 'environment', value: sql`s.environment` },
    },
    {
      name: 'facts',
      type: 'tree',
      value: sql`(SELECT coalesce(jsonb_object_agg(x.name, x.value), '{}') FROM ${table('facts')} x WHERE x.node = s.node)`,
      output: sql`(SELECT coalesce(json_object_agg(x.name, x.value), '{}') FROM ${table('facts')} x WHERE x.node = s.node)`,
      tree: { kind: 'facts', node: sql`s.node`, under: [] },
    },
    {
      name: 'trusted',
      type: 'tree',
      value: sql`(SELECT x.value FROM ${table('facts')} x WHERE x.node = s.node AND x.fact = ${trusted})`,
      tree: { kind: 'facts', node: sql`s.node`, under: ['trusted'] },
    },
  ],
  keyed: factOf(sql`s.node`),
  relations: byCertname,
};
