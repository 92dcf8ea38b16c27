import { sql, table } from '../sql/fragment';
import { byCertname, type Entity, factOf } from './entity';

export const edges: Entity = {
  name: 'edges',
  title: 'edges',
  from: sql`${table('catalog_edges')} ce CROSS JOIN LATERAL unnest(ce.relationships, ce.source_types,
    ce.source_titles, ce.target_types, ce.target_titles)
    e (relationship, source_type, source_title, target_type, target_title)`,
  joins: { node: { sql: sql`JOIN ${table('nodes')} n ON n.node = ce.node` } },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [
    {
      name: 'certname',
      type: 'text',
      value: sql`n.certname`,
      needs: ['node'],
      key: { domain: 'node', value: sql`ce.node` },
    },
    { name: 'relationship', type: 'text', value: sql`e.relationship` },
    { name: 'source_title', type: 'text', value: sql`e.source_title` },
    { name: 'source_type', type: 'text', value: sql`e.source_type` },
    { name: 'target_title', type: 'text', value: sql`e.target_title` },
    { name: 'target_type', type: 'text', value: sql`e.target_type` },
  ],
  keyed: factOf(sql`ce.node`),
  relations: byCertname,
};
