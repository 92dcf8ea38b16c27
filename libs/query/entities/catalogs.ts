import { expanded } from '../kinds/expanded';
import { namedFact } from '../kinds/named-fact';
import { text } from '../kinds/text';
import { timestamp } from '../kinds/timestamp';
import { bindPlanIndependent, type Fragment, sql, table } from '../sql/fragment';
import { joinPieces, longPiece } from '../sql/object-text';
import { certname, environment, producer } from './common-fields';
import { byCertname, byEnvironment, byProducer, type Entity, type Field } from './entity';
import { resourceTexts } from './resource-texts';

const { resource, type, title, tags, exported, file, line, parameters } = resourceTexts;

const inCatalog = sql`FROM ${table('catalog_resources')} cr JOIN ${table('resource_contents')} rc ON rc.content = cr.content
  WHERE cr.node = k.node`;

// Does not add the brackets around the list of resources, because adding them would copy the whole list.
const resourceList = sql`(SELECT string_agg('{"resource" : ' || ${resource} || ', "type" : ' || ${type} || ', "title" : ' || ${title}
    || ', "tags" : ' || ${tags} || ', "exported" : ' || ${exported} || ', "file" : ' || ${file} || ', "line" : ' || ${line}
    || ', "parameters" : ' || ${parameters} || '}', ', ') ${inCatalog})`;
const hasResources = sql`EXISTS (SELECT FROM ${table('catalog_resources')} cr WHERE cr.node = k.node)`;

const edgeList = sql`(SELECT json_agg(x)::text
  FROM ${table('catalog_edges')} e CROSS JOIN LATERAL unnest(e.relationships, e.source_types, e.source_titles,
    e.target_types, e.target_titles) x (relationship, source_type, source_title, target_type, target_title)
  WHERE e.node = k.node)`;

/**
 * Makes a field whose value is an object. In this object, `data` is the list, and `href` is the path at which clients
 * can query the list.
 */
function part(name: 'resources' | 'edges', list: readonly Fragment[]): Field {
  const href = sql`to_json('/pdb/query/v4/catalogs/' || n.certname || ${bindPlanIndependent(`/${name}`, 'text')})::text`;
  const pieces = [sql`'{"href" : '`, href, sql`', "data" : '`, ...list, sql`'}'`];
  return { name, kind: expanded(sql`${joinPieces(pieces)}::json`, ['node']), jsonText: pieces, uses: ['show'] };
}

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
    part('resources', [
      sql`CASE WHEN ${hasResources} THEN '[' ELSE 'null' END`,
      longPiece(sql`coalesce(${resourceList}, '')`),
      sql`CASE WHEN ${hasResources} THEN ']' ELSE '' END`,
    ]),
    part('edges', [longPiece(sql`coalesce(${edgeList}, 'null')`)]),
  ],
  keyed: { fact: namedFact(sql`k.node`) },
  relations: { ...byCertname, ...byEnvironment, ...byProducer },
};
