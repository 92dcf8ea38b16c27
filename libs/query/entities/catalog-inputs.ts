import { sql, table } from '../sql/fragment';
import { byCertname, type Entity, factOf, type Field } from './entity';

const shared: Record<'certname' | 'producer_timestamp' | 'catalog_uuid', Field> = {
  certname: {
    name: 'certname',
    type: 'text',
    value: sql`n.certname`,
    needs: ['node'],
    key: { domain: 'node', value: sql`i.node` },
  },
  producer_timestamp: { name: 'producer_timestamp', type: 'timestamp', value: sql`i.producer_timestamp` },
  catalog_uuid: { name: 'catalog_uuid', type: 'text', value: sql`i.catalog_uuid` },
};

/** One row a node, with its inputs as pairs of type and name. */
export const catalogInputs: Entity = {
  name: 'catalog_inputs',
  title: 'catalog_inputs',
  from: sql`${table('catalog_inputs')} i`,
  joins: { node: { sql: sql`JOIN ${table('nodes')} n ON n.node = i.node` } },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [
    shared.certname,
    shared.producer_timestamp,
    shared.catalog_uuid,
    {
      name: 'inputs',
      type: 'value',
      value: sql`(SELECT jsonb_agg(jsonb_build_array(x.type, x.name)) FROM unnest(i.types, i.names) x (type, name))`,
    },
  ],
  keyed: factOf(sql`i.node`),
  relations: byCertname,
};

/** One row a node and input. */
export const catalogInputContents: Entity = {
  name: 'catalog_input_contents',
  title: 'catalog_input_contents',
  from: sql`${table('catalog_inputs')} i CROSS JOIN LATERAL unnest(i.types, i.names) x (type, name)`,
  joins: { node: { sql: sql`JOIN ${table('nodes')} n ON n.node = i.node` } },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [
    shared.certname,
    shared.producer_timestamp,
    shared.catalog_uuid,
    { name: 'name', type: 'text', value: sql`x.name` },
    { name: 'type', type: 'text', value: sql`x.type` },
  ],
  keyed: factOf(sql`i.node`),
  relations: byCertname,
};
