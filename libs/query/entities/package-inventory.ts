import { sql, table } from '../sql/fragment';
import { byCertname, type Entity, factOf } from './entity';

/** One row a node and package. */
export const packageInventory: Entity = {
  name: 'package_inventory',
  title: 'package_inventory',
  from: sql`${table('package_inventory')} i CROSS JOIN LATERAL unnest(i.packages) u (package)
    JOIN ${table('packages')} p ON p.package = u.package`,
  joins: { node: { sql: sql`JOIN ${table('nodes')} n ON n.node = i.node` } },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [
    {
      name: 'certname',
      type: 'text',
      value: sql`n.certname`,
      needs: ['node'],
      key: { domain: 'node', value: sql`i.node` },
    },
    {
      name: 'package_name',
      type: 'text',
      value: sql`p.name`,
      prefix: sql`"left"(p.name, 200)`,
      narrowed: (equals) => sql`i.packages && ARRAY(SELECT x.package FROM ${table('packages')} x
        WHERE ${equals(sql`"left"(x.name, 200)`)})`,
    },
    { name: 'version', type: 'text', value: sql`p.version` },
    { name: 'provider', type: 'text', value: sql`p.provider` },
  ],
  keyed: factOf(sql`i.node`),
  relations: byCertname,
};
