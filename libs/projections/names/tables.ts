import type { ReadTable } from '../schema/read-table';

export const nameTables: readonly ReadTable[] = [
  {
    name: 'environments',
    shared: { key: 'environment', keyType: 'bigint' },
    ddl: `
CREATE TABLE {schema}.environments (
  environment bigint PRIMARY KEY,
  name text COLLATE {collation} NOT NULL
);
`,
  },
  {
    name: 'producers',
    shared: { key: 'producer', keyType: 'bigint' },
    ddl: `
CREATE TABLE {schema}.producers (
  producer bigint PRIMARY KEY,
  name text COLLATE {collation} NOT NULL
);
`,
  },
];
