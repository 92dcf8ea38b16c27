import { longText } from '../kinds/long-text';
import { namedFact } from '../kinds/named-fact';
import { packageVersion } from '../kinds/package-version';
import { text } from '../kinds/text';
import { sql, table } from '../sql/fragment';
import { certname } from './common-fields';
import { byCertname, type Entity } from './entity';

export const packageInventory: Entity = {
  name: 'package_inventory',
  title: 'package_inventory',
  from: sql`${table('package_inventory')} i CROSS JOIN LATERAL unnest(i.packages) u (package)
    JOIN ${table('packages')} p ON p.package = u.package`,
  joins: { node: { sql: sql`JOIN ${table('nodes')} n ON n.node = i.node` } },
  nodeJoin: 'node',
  activeOnly: { path: true, root: true },
  fields: [
    certname(sql`i.node`),
    {
      name: 'package_name',
      kind: longText(
        sql`p.name`,
        [],
        (equals) => sql`i.packages && ARRAY(SELECT x.package FROM ${table('packages')} x
        WHERE ${equals(sql`"left"(x.name, 200)`)})`,
      ),
    },
    { name: 'version', kind: packageVersion(sql`p.version`, sql`p.provider`) },
    { name: 'provider', kind: text(sql`p.provider`) },
  ],
  keyed: { fact: namedFact(sql`i.node`) },
  relations: byCertname,
};
