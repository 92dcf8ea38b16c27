import { sql, table } from '../sql/fragment';
import { byCertname, byEnvironment, byProducer, type Entity, factOf } from './entity';

export const factsets: Entity = {
  name: 'factsets',
  title: 'factsets',
  from: sql`${table('factsets')} s`,
  joins: {
    node: { sql: sql`JOIN ${table('nodes')} n ON n.node = s.node` },
    environment: { sql: sql`LEFT JOIN ${table('environments')} env ON env.environment = s.environment` },
    producer: { sql: sql`LEFT JOIN ${table('producers')} pro ON pro.producer = s.producer` },
  },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [
    { name: 'timestamp', type: 'timestamp', value: sql`s.timestamp` },
    {
      name: 'facts',
      type: 'expanded',
      value: sql`NULL::text`,
      output: sql`json_build_object('href', '/pdb/query/v4/factsets/' || n.certname || '/facts', 'data',
        (SELECT json_agg(json_build_object('name', x.name, 'value', x.value))
         FROM ${table('facts')} x WHERE x.node = s.node))`,
      outputNeeds: ['node'],
    },
    {
      name: 'certname',
      type: 'text',
      value: sql`n.certname`,
      needs: ['node'],
      key: { domain: 'node', value: sql`s.node` },
    },
    { name: 'hash', type: 'text', value: sql`s.hash` },
    { name: 'producer_timestamp', type: 'timestamp', value: sql`s.producer_timestamp` },
    {
      name: 'producer',
      type: 'text',
      value: sql`pro.name`,
      needs: ['producer'],
      key: { domain: 'producer', value: sql`s.producer` },
    },
    {
      name: 'environment',
      type: 'text',
      value: sql`env.name`,
      needs: ['environment'],
      key: { domain: 'environment', value: sql`s.environment` },
    },
    {
      name: 'package_inventory',
      type: 'expanded',
      value: sql`NULL::text`,
      output: sql`(SELECT coalesce(json_agg(json_build_array(p.name, p.version, p.provider)
          ORDER BY p.name, p.version, p.provider), '[]')
        FROM ${table('package_inventory')} i CROSS JOIN LATERAL unnest(i.packages) u (package)
          JOIN ${table('packages')} p ON p.package = u.package
        WHERE i.node = s.node)`,
      uses: ['show'],
      option: 'package-inventory',
    },
  ],
  keyed: factOf(sql`s.node`),
  relations: { ...byCertname, ...byEnvironment, ...byProducer },
};
