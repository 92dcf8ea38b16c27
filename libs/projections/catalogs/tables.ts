import type { ReadTable } from '../schema/read-table';

export const catalogTables: readonly ReadTable[] = [
  {
    name: 'catalogs',
    deletedBy: ['node'],
    documentsOf: 'replace catalog',
    refersTo: ['environments', 'producers'],
    history: {
      since: 'log_offset',
      key: ['node'],
      without: ['resources_length', 'resources_sha256', 'edges_length', 'edges_sha256'],
      indexes: ['(environment)', '(producer)'],
    },
    ddl: `
CREATE TABLE {schema}.catalogs (
  node bigint PRIMARY KEY,
  timestamp timestamptz NOT NULL,
  producer_timestamp timestamptz NOT NULL,
  environment bigint,
  producer bigint,
  version text COLLATE {collation} NOT NULL,
  transaction_uuid text COLLATE {collation},
  catalog_uuid text COLLATE {collation},
  code_id text COLLATE {collation},
  job_id text COLLATE {collation},
  hash text COLLATE {collation} NOT NULL,
  -- byte length and SHA-256 of the two large sections as they were sent: an unchanged one is not parsed again.
  resources_length int NOT NULL,
  resources_sha256 bytea NOT NULL,
  edges_length int NOT NULL,
  edges_sha256 bytea NOT NULL,
  log_partition int NOT NULL,
  log_offset bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX ON {schema}.catalogs (environment);
CREATE INDEX ON {schema}.catalogs (producer);
`,
  },
  {
    name: 'resource_contents',
    shared: { key: 'content', keyType: 'uuid' },
    ddl: `
-- PostgreSQL calls array_to_json STABLE, because that is true for some types. Generated columns need an IMMUTABLE function.
CREATE FUNCTION {schema}.list_text(text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT array_to_json($1)::text';

-- Shared: everything of a resource but whose it is. Equal resources of a fleet, parameters and all, are stored once.
CREATE TABLE {schema}.resource_contents (
  content uuid PRIMARY KEY,
  resource text COLLATE {collation} NOT NULL,
  type text COLLATE {collation} NOT NULL,
  title text COLLATE {collation} NOT NULL,
  exported boolean NOT NULL,
  file text COLLATE {collation},
  line int,
  tags text[] COLLATE {collation} NOT NULL,
  parameters jsonb NOT NULL,
  -- Tags and parameters as they are printed. Columns of type json would have to be converted in each row.
  tags_text text COLLATE {collation} NOT NULL GENERATED ALWAYS AS ({schema}.list_text(tags)) STORED,
  parameters_text text COLLATE {collation} NOT NULL GENERATED ALWAYS AS (parameters::text) STORED
);
-- Long texts exceed what an index row may hold: prefixes are indexed, the full text is compared as well.
CREATE INDEX ON {schema}.resource_contents ("left"(type, 200), "left"(title, 200));
CREATE INDEX ON {schema}.resource_contents ("left"(title, 200));
`,
  },
  {
    name: 'catalog_types',
    deletedBy: ['node'],
    history: { since: 'since', key: ['node'] },
    ddl: `
-- One row a node: how many resources of each type its catalog has, sorted by type. Counts by type need not read the resources.
CREATE TABLE {schema}.catalog_types (
  node bigint PRIMARY KEY,
  types text[] COLLATE {collation} NOT NULL,
  counts int[] NOT NULL,
  since bigint NOT NULL
);
-- As in catalog_edges.
ALTER TABLE {schema}.catalog_types ALTER node SET STATISTICS 1, ALTER types SET STATISTICS 1, ALTER counts SET STATISTICS 0;
`,
  },
  {
    name: 'catalog_edges',
    deletedBy: ['node'],
    history: { since: 'since', key: ['node'] },
    ddl: `
-- One row a node: five arrays of equal length, sorted; read with unnest.
CREATE TABLE {schema}.catalog_edges (
  node bigint PRIMARY KEY,
  relationships text[] COLLATE {collation} NOT NULL,
  source_types text[] COLLATE {collation} NOT NULL,
  source_titles text[] COLLATE {collation} NOT NULL,
  target_types text[] COLLATE {collation} NOT NULL,
  target_titles text[] COLLATE {collation} NOT NULL,
  since bigint NOT NULL
);
-- ANALYZE would read every element of the arrays of up to 30,000 nodes, which takes seconds. No condition compares them. The planner
-- only estimates how many elements they have, from those that differ. One of the arrays of 300 nodes is enough for that.
ALTER TABLE {schema}.catalog_edges ALTER node SET STATISTICS 1, ALTER relationships SET STATISTICS 0,
  ALTER source_types SET STATISTICS 0, ALTER source_titles SET STATISTICS 0,
  ALTER target_types SET STATISTICS 0, ALTER target_titles SET STATISTICS 1;
`,
  },
  {
    name: 'catalog_resources',
    deletedBy: ['node'],
    refersTo: ['resource_contents'],
    history: { since: 'since', key: ['node', 'content'], indexes: ['(content, until)'] },
    ddl: `
CREATE TABLE {schema}.catalog_resources (
  node bigint NOT NULL,
  content uuid NOT NULL,
  since bigint NOT NULL,
  PRIMARY KEY (node, content)
);
CREATE INDEX ON {schema}.catalog_resources (content);
`,
  },
];
