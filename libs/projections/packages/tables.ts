import type { ReadTable } from '../schema/read-table';

export const packageTables: readonly ReadTable[] = [
  {
    name: 'packages',
    shared: { key: 'package', keyType: 'bigint', listedIn: { table: 'package_inventory', column: 'packages' } },
    ddl: `
-- Shared: every package that any node ever had; visible while a row of package_inventory holds its key.
CREATE TABLE {schema}.packages (
  package bigint PRIMARY KEY,
  name text COLLATE {collation} NOT NULL,
  version text COLLATE {collation} NOT NULL,
  provider text COLLATE {collation} NOT NULL
);
CREATE INDEX ON {schema}.packages ("left"(name, 200));
`,
  },
  {
    name: 'package_inventory',
    deletedBy: ['node'],
    history: { since: 'since', key: ['node'], without: ['digest'], indexes: ['USING gin (packages)'] },
    ddl: `
-- One row a node that has packages: their keys, sorted. digest: SHA-1 of the list, compared before writing.
CREATE TABLE {schema}.package_inventory (
  node bigint PRIMARY KEY,
  digest bytea NOT NULL,
  packages bigint[] NOT NULL,
  since bigint NOT NULL
);
CREATE INDEX ON {schema}.package_inventory USING gin (packages);
`,
  },
];
