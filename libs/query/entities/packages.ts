import { longText } from '../kinds/long-text';
import { packageVersion } from '../kinds/package-version';
import { text } from '../kinds/text';
import { sql, table } from '../sql/fragment';
import type { Entity } from './entity';

export const packages: Entity = {
  name: 'packages',
  title: 'packages',
  from: sql`${table('packages')} p`,
  joins: {},
  activeOnly: { path: false, root: false },
  where: sql`EXISTS (SELECT FROM ${table('package_inventory')} i WHERE i.packages @> ARRAY[p.package])`,
  fields: [
    { name: 'package_name', kind: longText(sql`p.name`) },
    { name: 'version', kind: packageVersion(sql`p.version`, sql`p.provider`) },
    { name: 'provider', kind: text(sql`p.provider`) },
  ],
  relations: {},
};
