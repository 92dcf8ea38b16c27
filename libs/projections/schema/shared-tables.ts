export type SharedTableName = 'environments' | 'producers' | 'fact_paths' | 'resource_contents' | 'packages';

/** A table whose rows belong to no node: they count while a row of another table refers to them. */
export interface SharedTable {
  readonly name: SharedTableName;
  /** Its primary key, and the name of the columns that refer to it. */
  readonly key: string;
  readonly keyType: 'bigint' | 'uuid';
  /** The tables with such a column. Each has an index on it. */
  readonly usedBy: readonly string[];
  /** The table and the column with arrays of keys, indexed by GIN; instead of `usedBy`. */
  readonly listedIn?: { readonly table: string; readonly column: string };
}

export const sharedTables: readonly SharedTable[] = [
  { name: 'environments', key: 'environment', keyType: 'bigint', usedBy: ['factsets', 'catalogs', 'reports'] },
  { name: 'producers', key: 'producer', keyType: 'bigint', usedBy: ['factsets', 'catalogs', 'reports'] },
  { name: 'fact_paths', key: 'path', keyType: 'bigint', usedBy: ['fact_contents'] },
  { name: 'resource_contents', key: 'content', keyType: 'uuid', usedBy: ['catalog_resources'] },
  {
    name: 'packages',
    key: 'package',
    keyType: 'bigint',
    usedBy: [],
    listedIn: { table: 'package_inventory', column: 'packages' },
  },
];
