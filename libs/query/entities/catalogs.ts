import { sql, table } from '../sql/fragment';
import { byCertname, byEnvironment, byProducer, type Entity, factOf, type Field } from './entity';

const text = (name: string, value: Field['value']): Field => ({ name, type: 'text', value });

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
    {
      name: 'certname',
      type: 'text',
      value: sql`n.certname`,
      needs: ['node'],
      key: { domain: 'node', value: sql`k.node` },
    },
    text('version', sql`k.version`),
    text('hash', sql`k.hash`),
    text('transaction_uuid', sql`k.transaction_uuid`),
    text('catalog_uuid', sql`k.catalog_uuid`),
    text('code_id', sql`k.code_id`),
    text('job_id', sql`k.job_id`),
    { name: 'producer_timestamp', type: 'timestamp', value: sql`k.producer_timestamp` },
    {
      name: 'producer',
      type: 'text',
      value: sql`pro.name`,
      needs: ['producer'],
      key: { domain: 'producer', value: sql`k.producer` },
    },
    {
      name: 'environment',
      type: 'text',
      value: sql`env.name`,
      needs: ['environment'],
      key: { domain: 'environment', value: sql`k.environment` },
    },
    {
      name: 'resources',
      type: 'expanded',
      value: sql`NULL::text`,
      output: sql`json_build_object('href', '/pdb/query/v4/catalogs/' || n.certname || '/resources', 'data',
        (SELECT json_agg(json_build_object('resource', x.resource, 'type', x.type, 'title', x.title, 'tags', x.tags,
          'exported', x.exported, 'file', x.file, 'line', x.line, 'parameters', x.parameters))
         FROM ${table('catalog_resources')} cr JOIN ${table('resource_contents')} x ON x.content = cr.content
         WHERE cr.node = k.node))`,
      outputNeeds: ['node'],
      uses: ['show'],
    },
    {
      name: 'edges',
      type: 'expanded',
      value: sql`NULL::text`,
      output: sql`json_build_object('href', '/pdb/query/v4/catalogs/' || n.certname || '/edges', 'data',
        (SELECT json_agg(json_build_object('relationship', x.relationship, 'source_type', x.source_type,
          'source_title', x.source_title, 'target_type', x.target_type, 'target_title', x.target_title))
         FROM ${table('catalog_edges')} e CROSS JOIN LATERAL unnest(e.relationships, e.source_types, e.source_titles,
          e.target_types, e.target_titles) x (relationship, source_type, source_title, target_type, target_title)
         WHERE e.node = k.node))`,
      outputNeeds: ['node'],
      uses: ['show'],
    },
  ],
  keyed: factOf(sql`k.node`),
  relations: { ...byCertname, ...byEnvironment, ...byProducer },
};
