import { jsonValue } from '../kinds/json-value';
import { namedFact } from '../kinds/named-fact';
import { text } from '../kinds/text';
import { timestamp } from '../kinds/timestamp';
import { sql, table } from '../sql/fragment';
import { certname } from './common-fields';
import { byCertname, type Entity, type Field } from './entity';

const shared: readonly Field[] = [
  certname(sql`i.node`),
  { name: 'producer_timestamp', kind: timestamp(sql`i.producer_timestamp`) },
  { name: 'catalog_uuid', kind: text(sql`i.catalog_uuid`) },
];

/** One row for each node that has inputs. The field `inputs` is a list of pairs `[type, name]`. */
export const catalogInputs: Entity = {
  name: 'catalog_inputs',
  title: 'catalog_inputs',
  from: sql`${table('catalog_inputs')} i`,
  joins: { node: { sql: sql`JOIN ${table('nodes')} n ON n.node = i.node` } },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [
    ...shared,
    {
      name: 'inputs',
      kind: jsonValue(
        sql`(SELECT jsonb_agg(jsonb_build_array(x.type, x.name)) FROM unnest(i.types, i.names) x (type, name))`,
      ),
    },
  ],
  keyed: { fact: namedFact(sql`i.node`) },
  relations: byCertname,
};

export const catalogInputContents: Entity = {
  name: 'catalog_input_contents',
  title: 'catalog_input_contents',
  from: sql`${table('catalog_inputs')} i CROSS JOIN LATERAL unnest(i.types, i.names) x (type, name)`,
  joins: { node: { sql: sql`JOIN ${table('nodes')} n ON n.node = i.node` } },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [...shared, { name: 'name', kind: text(sql`x.name`) }, { name: 'type', kind: text(sql`x.type`) }],
  keyed: { fact: namedFact(sql`i.node`) },
  relations: byCertname,
};
