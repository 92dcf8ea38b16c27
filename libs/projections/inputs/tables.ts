import type { ReadTable } from '../schema/read-table';

export const inputTables: readonly ReadTable[] = [
  {
    name: 'catalog_inputs',
    deletedBy: ['node'],
    documentsOf: 'replace catalog inputs',
    history: { since: 'log_offset', key: ['node'] },
    ddl: `
-- One row a node: two arrays of equal length, sorted by type and name.
CREATE TABLE {schema}.catalog_inputs (
  node bigint PRIMARY KEY,
  producer_timestamp timestamptz NOT NULL,
  catalog_uuid text COLLATE {collation} NOT NULL,
  types text[] COLLATE {collation} NOT NULL,
  names text[] COLLATE {collation} NOT NULL,
  log_partition int NOT NULL,
  log_offset bigint NOT NULL
);
`,
  },
];
