/**
 * The read tables of one generation. `{schema}` and `{collation}` are filled in by the generation's maker from its own
 * names, never from a request. Keys: `node` is the first eight bytes of SHA-1(certname), `fact`, `path`, `environment`
 * and `producer` likewise of their content, `content` and `report` sixteen bytes of a SHA-1, so that two replays give
 * equal tables whatever the order between nodes. `log_partition`, `log_offset`: the record that a row came from.
 */
export const projectionVersion = 7;

export const readTables = `
CREATE TABLE {schema}.environments (
  environment bigint PRIMARY KEY,
  name text COLLATE {collation} NOT NULL
);
CREATE TABLE {schema}.producers (
  producer bigint PRIMARY KEY,
  name text COLLATE {collation} NOT NULL
);

-- One row holds all that /nodes shows, and what decides whether a later record still counts.
CREATE TABLE {schema}.nodes (
  node bigint PRIMARY KEY,
  certname text COLLATE {collation} NOT NULL UNIQUE,
  deactivated timestamptz,
  expired timestamptz,
  -- Of an expired node: a document that is not older than this brings it back.
  expired_cutoff timestamptz,
  catalog_timestamp timestamptz,
  facts_timestamp timestamptz,
  report_timestamp timestamptz,
  catalog_environment text COLLATE {collation},
  facts_environment text COLLATE {collation},
  report_environment text COLLATE {collation},
  latest_report_status text COLLATE {collation},
  latest_report_noop boolean,
  latest_report_noop_pending boolean,
  latest_report_corrective_change boolean,
  latest_report_hash text COLLATE {collation},
  latest_report_job_id text COLLATE {collation},
  cached_catalog_status text COLLATE {collation},
  expires_facts boolean NOT NULL DEFAULT true,
  expires_facts_updated timestamptz,
  catalog_producer_timestamp timestamptz,
  facts_producer_timestamp timestamptz,
  report_producer_timestamp timestamptz,
  inputs_producer_timestamp timestamptz,
  -- The last record that was applied to the node's life (deactivation, expiry, expiration setting, purge of reports).
  log_partition int,
  log_offset bigint
) WITH (fillfactor = 80);

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

-- Top-level facts. spelled: the value as /facts spells it where jsonb would print it differently.
CREATE TABLE {schema}.facts (
  node bigint NOT NULL,
  fact bigint NOT NULL,
  name text COLLATE {collation} NOT NULL,
  value jsonb NOT NULL,
  spelled text COLLATE {collation},
  PRIMARY KEY (node, fact)
) WITH (fillfactor = 90);
CREATE INDEX ON {schema}.facts (fact);

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

-- Shared: every type that a leaf with this path ever had; visible while such a leaf exists. It goes with its path.
CREATE TABLE {schema}.fact_path_types (
  path bigint NOT NULL REFERENCES {schema}.fact_paths ON DELETE CASCADE,
  -- as in fact_contents
  type "char" NOT NULL,
  PRIMARY KEY (path, type)
);

CREATE TABLE {schema}.fact_contents (
  node bigint NOT NULL,
  fact bigint NOT NULL,
  path bigint NOT NULL,
  -- s string, i integer, f float, b boolean, n null
  type "char" NOT NULL,
  value jsonb NOT NULL,
  spelled text COLLATE {collation},
  PRIMARY KEY (node, fact, path)
) WITH (fillfactor = 90);
CREATE INDEX ON {schema}.fact_contents (path, type, jsonb_hash_extended(value, 0));

-- Shared: every package that any node ever had; visible while a row of package_inventory holds its key.
CREATE TABLE {schema}.packages (
  package bigint PRIMARY KEY,
  name text COLLATE {collation} NOT NULL,
  version text COLLATE {collation} NOT NULL,
  provider text COLLATE {collation} NOT NULL
);
CREATE INDEX ON {schema}.packages ("left"(name, 200));

-- One row a node that has packages: their keys, sorted. digest: SHA-1 of the list, compared before writing.
CREATE TABLE {schema}.package_inventory (
  node bigint PRIMARY KEY,
  digest bytea NOT NULL,
  packages bigint[] NOT NULL
);
CREATE INDEX ON {schema}.package_inventory USING gin (packages);

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

CREATE TABLE {schema}.catalog_resources (
  node bigint NOT NULL,
  content uuid NOT NULL,
  PRIMARY KEY (node, content)
);
CREATE INDEX ON {schema}.catalog_resources (content);

-- One row a node: how many resources of each type its catalog has, sorted by type. Counts by type need not read the resources.
CREATE TABLE {schema}.catalog_types (
  node bigint PRIMARY KEY,
  types text[] COLLATE {collation} NOT NULL,
  counts int[] NOT NULL
);

-- One row a node: five arrays of equal length, sorted; read with unnest.
CREATE TABLE {schema}.catalog_edges (
  node bigint PRIMARY KEY,
  relationships text[] COLLATE {collation} NOT NULL,
  source_types text[] COLLATE {collation} NOT NULL,
  source_titles text[] COLLATE {collation} NOT NULL,
  target_types text[] COLLATE {collation} NOT NULL,
  target_titles text[] COLLATE {collation} NOT NULL
);

-- report: the first sixteen bytes of its hash.
CREATE TABLE {schema}.reports (
  report uuid PRIMARY KEY,
  hash text COLLATE {collation} NOT NULL,
  node bigint NOT NULL,
  environment bigint NOT NULL,
  producer bigint,
  status text COLLATE {collation},
  noop boolean,
  noop_pending boolean,
  corrective_change boolean,
  agent_version text COLLATE {collation} NOT NULL,
  report_format int NOT NULL,
  configuration_version text COLLATE {collation} NOT NULL,
  start_time timestamptz NOT NULL,
  end_time timestamptz NOT NULL,
  producer_timestamp timestamptz NOT NULL,
  receive_time timestamptz NOT NULL,
  transaction_uuid text COLLATE {collation},
  catalog_uuid text COLLATE {collation},
  code_id text COLLATE {collation},
  cached_catalog_status text COLLATE {collation},
  job_id text COLLATE {collation},
  type text COLLATE {collation} NOT NULL,
  logs json NOT NULL,
  metrics json NOT NULL,
  resources json NOT NULL,
  log_partition int NOT NULL,
  log_offset bigint NOT NULL
);
CREATE INDEX ON {schema}.reports (node, producer_timestamp);
CREATE INDEX ON {schema}.reports (producer_timestamp);
CREATE INDEX ON {schema}.reports (start_time);
CREATE INDEX ON {schema}.reports (end_time);
CREATE INDEX ON {schema}.reports (receive_time);
CREATE INDEX ON {schema}.reports (environment);
CREATE INDEX ON {schema}.reports (producer);

-- One row a node: its agent report with the greatest producer_timestamp.
CREATE TABLE {schema}.latest_reports (
  node bigint PRIMARY KEY,
  report uuid NOT NULL,
  producer_timestamp timestamptz NOT NULL
);
CREATE INDEX ON {schema}.latest_reports (report);

-- Per report and containing class (class_key: of its name, 0 for none): enough for event counts without the events.
CREATE TABLE {schema}.event_counts (
  report uuid NOT NULL,
  class_key bigint NOT NULL,
  node bigint NOT NULL,
  -- of the report
  producer_timestamp timestamptz NOT NULL,
  containing_class text COLLATE {collation},
  successes int NOT NULL,
  failures int NOT NULL,
  noops int NOT NULL,
  skips int NOT NULL,
  corrective_successes int NOT NULL,
  corrective_noops int NOT NULL,
  PRIMARY KEY (report, class_key)
);
-- Which reports have events that are older than their age limit.
CREATE INDEX ON {schema}.event_counts (producer_timestamp);

-- One table without partitions: all events of a report go together, and each partition would cost every query locks.
CREATE TABLE {schema}.resource_events (
  report uuid NOT NULL,
  node bigint NOT NULL,
  -- place of the event in its report
  ordinal int NOT NULL,
  status text COLLATE {collation},
  timestamp timestamptz NOT NULL,
  resource_type text COLLATE {collation} NOT NULL,
  resource_title text COLLATE {collation} NOT NULL,
  property text COLLATE {collation},
  name text COLLATE {collation},
  new_value text COLLATE {collation},
  old_value text COLLATE {collation},
  message text COLLATE {collation},
  file text COLLATE {collation},
  line int,
  containing_class text COLLATE {collation},
  containment_path text[] COLLATE {collation},
  corrective_change boolean,
  PRIMARY KEY (report, ordinal)
);
CREATE INDEX ON {schema}.resource_events (timestamp);
CREATE INDEX ON {schema}.resource_events ("left"(resource_title, 200));
-- Failures are few and asked for most.
CREATE INDEX ON {schema}.resource_events (report) WHERE status = 'failure';

-- What age limits have taken: of the reports that stand before the age limit's own place in the log and were made before a time, whose
-- nodes fall into all of the parts; kind r: the reports, e: their events and the counts of these. Their rows are deleted later. Of
-- reports the removal is forgotten then. Of events it is kept, for bases of the log, which still have the reports.
CREATE TABLE {schema}.removals (
  kind "char" NOT NULL,
  log_partition int NOT NULL,
  log_offset bigint NOT NULL,
  before timestamptz NOT NULL,
  parts int[] NOT NULL,
  of_parts int[] NOT NULL,
  is_done boolean NOT NULL DEFAULT false,
  PRIMARY KEY (kind, log_partition, log_offset)
);
`;
