import { expanded } from '../kinds/expanded';
import { namedFact } from '../kinds/named-fact';
import { text } from '../kinds/text';
import { timestamp } from '../kinds/timestamp';
import { sql, table } from '../sql/fragment';
import { certname, environment, producer } from './common-fields';
import { byCertname, byEnvironment, byProducer, type Entity } from './entity';

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
    { name: 'timestamp', kind: timestamp(sql`s.timestamp`) },
    {
      name: 'facts',
      kind: expanded(
        sql`json_build_object('href', '/pdb/query/v4/factsets/' || n.certname || '/facts', 'data',
        (SELECT json_agg(json_build_object('name', x.name, 'value', x.value))
         FROM ${table('facts')} x WHERE x.node = s.node))`,
        ['node'],
      ),
    },
    certname(sql`s.node`),
    { name: 'hash', kind: text(sql`s.hash`) },
    { name: 'producer_timestamp', kind: timestamp(sql`s.producer_timestamp`) },
    producer(sql`s.producer`),
    environment(sql`s.environment`),
    {
      name: 'package_inventory',
      kind: expanded(sql`(SELECT coalesce(json_agg(json_build_array(p.name, p.version, p.provider)
          ORDER BY p.name, p.version, p.provider), '[]')
        FROM ${table('package_inventory')} i CROSS JOIN LATERAL unnest(i.packages) u (package)
          JOIN ${table('packages')} p ON p.package = u.package
        WHERE i.node = s.node)`),
      uses: ['show'],
      option: 'package-inventory',
    },
  ],
  keyed: { fact: namedFact(sql`s.node`) },
  relations: { ...byCertname, ...byEnvironment, ...byProducer },
};
