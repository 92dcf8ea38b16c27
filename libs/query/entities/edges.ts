import { namedFact } from '../kinds/named-fact';
import { text } from '../kinds/text';
import { sql, table } from '../sql/fragment';
import { certname } from './common-fields';
import { byCertname, type Entity } from './entity';

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
    certname(sql`ce.node`),
    { name: 'relationship', kind: text(sql`e.relationship`) },
    { name: 'source_title', kind: text(sql`e.source_title`) },
    { name: 'source_type', kind: text(sql`e.source_type`) },
    { name: 'target_title', kind: text(sql`e.target_title`) },
    { name: 'target_type', kind: text(sql`e.target_type`) },
  ],
  keyed: { fact: namedFact(sql`ce.node`) },
  relations: byCertname,
};
