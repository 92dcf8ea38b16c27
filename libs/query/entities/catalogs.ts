import { expanded } from '../kinds/expanded';
import { namedFact } from '../kinds/named-fact';
import { text } from '../kinds/text';
import { timestamp } from '../kinds/timestamp';
import { sql, table } from '../sql/fragment';
import { certname, environment, producer } from './common-fields';
import { byCertname, byEnvironment, byProducer, type Entity } from './entity';

export const catalogs: Entity = {
  name: 'catalogs',
  title: 'catalogs',
  from: sql`${table('catalogs')} k`,
  joins: {
    node: { sql: sql`JOIN ${table('nodes')} n ON n.node = k.node` },
    environment: { sql: sql`LEFT JOIN ${table('environments')} env ON env.environment = k.environment` },
    producer: { sql: sql`LEFT JOIN ${table('producers')} pro ON pro.producer = k.producer` },
  },
  nodeJoin: 'node',
  activeOnly: { path: false, root: true },
  fields: [
    certname(sql`k.node`),
    { name: 'version', kind: text(sql`k.version`) },
    { name: 'hash', kind: text(sql`k.hash`) },
    { name: 'transaction_uuid', kind: text(sql`k.transaction_uuid`) },
    { name: 'catalog_uuid', kind: text(sql`k.catalog_uuid`) },
    { name: 'code_id', kind: text(sql`k.code_id`) },
    { name: 'job_id', kind: text(sql`k.job_id`) },
    { name: 'producer_timestamp', kind: timestamp(sql`k.producer_timestamp`) },
    producer(sql`k.producer`),
    environment(sql`k.environment`),
    {
      name: 'resources',
      kind: expanded(
        sql`json_build_object('href', '/pdb/query/v4/catalogs/' || n.certname || '/resources', 'data',
        (SELECT json_agg(json_build_object('resource', x.resource, 'type', x.type, 'title', x.title, 'tags', x.tags,
          'exported', x.exported, 'file', x.file, 'line', x.line, 'parameters', x.parameters))
         FROM ${table('catalog_resources')} cr JOIN ${table('resource_contents')} x ON x.content = cr.content
         WHERE cr.node = k.node))`,
        ['node'],
      ),
      uses: ['show'],
    },
    {
      name: 'edges',
      kind: expanded(
        sql`json_build_object('href', '/pdb/query/v4/catalogs/' || n.certname || '/edges', 'data',
        (SELECT json_agg(x)
         FROM ${table('catalog_edges')} e CROSS JOIN LATERAL unnest(e.relationships, e.source_types, e.source_titles,
          e.target_types, e.target_titles) x (relationship, source_type, source_title, target_type, target_title)
         WHERE e.node = k.node))`,
        ['node'],
      ),
      uses: ['show'],
    },
  ],
  keyed: { fact: namedFact(sql`k.node`) },
  relations: { ...byCertname, ...byEnvironment, ...byProducer },
};
