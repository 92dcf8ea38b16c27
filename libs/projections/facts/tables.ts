import type { ReadTable } from '../schema/read-table';

export const factTables: readonly ReadTable[] = [
  {
    name: 'factsets',
    deletedBy: ['node'],
    documentsOf: 'replace facts',
    refersTo: ['environments', 'producers'],
    history: { since: 'log_offset', key: ['node'], without: ['digest'], indexes: ['(environment)', '(producer)'] },
    ddl: `
CREATE TABLE {schema}.factsets (
  node bigint PRIMARY KEY,
  timestamp timestamptz NOT NULL,
  producer_timestamp timestamptz NOT NULL,
  environment bigint,
  producer bigint,
  hash text COLLATE {collation} NOT NULL,
  -- 16 bytes a fact: its key, then the digest of its name and value; sorted. The projector compares it before writing.
  digest bytea NOT NULL,
  log_partition int NOT NULL,
  log_offset bigint NOT NULL
) WITH (fillfactor = 60);
CREATE INDEX ON {schema}.factsets (environment);
CREATE INDEX ON {schema}.factsets (producer);
`,
  },
  {
    name: 'facts',
    deletedBy: ['node'],
    history: { since: 'since', key: ['node', 'fact'], indexes: ['(fact, until)'] },
    ddl: `
-- Top-level facts. spelled: the value as /facts spells it where jsonb would print it differently.
CREATE TABLE {schema}.facts (
  node bigint NOT NULL,
  fact bigint NOT NULL,
  name text COLLATE {collation} NOT NULL,
  value jsonb NOT NULL,
  spelled text COLLATE {collation},
  since bigint NOT NULL,
  PRIMARY KEY (node, fact)
) WITH (fillfactor = 90);
CREATE INDEX ON {schema}.facts (fact);
`,
  },
  {
    name: 'fact_paths',
    shared: { key: 'path', keyType: 'bigint' },
    ddl: `
-- Shared: every path of a leaf that any node ever had; visible while a row of fact_contents refers to it.
CREATE TABLE {schema}.fact_paths (
  path bigint PRIMARY KEY,
  fact bigint NOT NULL,
  name text COLLATE {collation} NOT NULL,
  -- elements: keys are strings, indexes numbers. spelled: the elements joined by '#~', the order of the reference.
  elements jsonb NOT NULL,
  spelled text COLLATE {collation} NOT NULL,
  depth int NOT NULL,
  -- The elements as they are printed.
  elements_text text COLLATE {collation} NOT NULL GENERATED ALWAYS AS (elements::text) STORED,
  -- In the reference's spelling of paths, a key that is empty, all digits or holds '#~' cannot be distinguished from an index or
  -- a separator. The reference leaves such a path out of its list.
  listed boolean NOT NULL GENERATED ALWAYS AS
    (NOT jsonb_path_exists(elements, '$[*] ? (@ like_regex "^([0-9]*|.*#~.*)$" flag "s")')) STORED
);
CREATE INDEX ON {schema}.fact_paths (fact);
`,
  },
  {
    name: 'fact_path_types',
    deletedBy: [],
    shownBy: { table: 'fact_contents', columns: ['path', 'type'] },
    ddl: `
-- Shared: every type that a leaf with this path ever had; visible while such a leaf exists. It goes with its path.
CREATE TABLE {schema}.fact_path_types (
  path bigint NOT NULL REFERENCES {schema}.fact_paths ON DELETE CASCADE,
  -- as in fact_contents
  type "char" NOT NULL,
  PRIMARY KEY (path, type)
);
`,
  },
  {
    name: 'fact_contents',
    deletedBy: ['node'],
    refersTo: ['fact_paths'],
    history: { since: 'since', key: ['node', 'fact', 'path'], indexes: ['(path, until)'] },
    ddl: `
CREATE TABLE {schema}.fact_contents (
  node bigint NOT NULL,
  fact bigint NOT NULL,
  path bigint NOT NULL,
  -- s string, i integer, f float, b boolean, n null
  type "char" NOT NULL,
  value jsonb NOT NULL,
  spelled text COLLATE {collation},
  since bigint NOT NULL,
  PRIMARY KEY (node, fact, path)
) WITH (fillfactor = 90);
CREATE INDEX ON {schema}.fact_contents (path, type, jsonb_hash_extended(value, 0));
`,
  },
];
