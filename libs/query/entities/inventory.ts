import { namedFact } from '../kinds/named-fact';
import { timestamp } from '../kinds/timestamp';
import { factMap, mapInFact } from '../kinds/tree';
import { sql, table } from '../sql/fragment';
import { certname, environment } from './common-fields';
import { byCertname, type Entity } from './entity';

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
    certname(sql`s.node`),
    { name: 'timestamp', kind: timestamp(sql`s.timestamp`) },
    environment(sql`s.environment`),
    { name: 'facts', kind: factMap(sql`s.node`) },
    { name: 'trusted', kind: mapInFact(sql`s.node`, 'trusted') },
  ],
  keyed: { fact: namedFact(sql`s.node`) },
  relations: byCertname,
};
