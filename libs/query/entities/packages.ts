import { sql, table } from '../sql/fragment';
import type { Entity } from './entity';

/** Packages that some node has installed. */
export const packages: Entity = {
  name: 'packages',
  title: 'packages',
  from: sql`${table('packages')} p`,
  joins: {},
  activeOnly: { path: false, root: false },
  where: sql`EXISTS (SELECT FROM ${table('package_inventory')} i WHERE i.packages @> ARRAY[p.package])`,
  fields: [
    { name: 'package_name', type: 'text', value: sql`p.name`, prefix: sql`"left"(p.name, 200)` },
    { name: 'version', type: 'text', value: sql`p.version` },
    { name: 'provider', type: 'text', value: sql`p.provider` },
  ],
  relations: {},
};
