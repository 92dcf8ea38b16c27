import type { ReadTable } from '../schema/read-table';

export const reportTables: readonly ReadTable[] = [
  {
    name: 'reports',
    // `purgeNodes`, `deleteReports` and `deleteRemovedRows` delete reports and the rows that belong to them.
    deletedBy: [],
    ageLimit: 'reports',
    documentsOf: 'store report',
    refersTo: ['environments', 'producers'],
    history: { since: 'log_offset' },
    ddl: `
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
`,
  },
  {
    name: 'latest_reports',
    deletedBy: ['node', 'report'],
    history: { since: 'since', key: ['node'], indexes: ['(report)'] },
    ddl: `
-- One row a node: its agent report with the greatest producer_timestamp.
CREATE TABLE {schema}.latest_reports (
  node bigint PRIMARY KEY,
  report uuid NOT NULL,
  producer_timestamp timestamptz NOT NULL,
  since bigint NOT NULL
);
CREATE INDEX ON {schema}.latest_reports (report);
`,
  },
  {
    name: 'event_counts',
    deletedBy: ['report'],
    history: { since: 'since' },
    ageLimit: 'events',
    ddl: `
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
  since bigint NOT NULL,
  PRIMARY KEY (report, class_key)
);
-- Which reports have events that are older than their age limit.
CREATE INDEX ON {schema}.event_counts (producer_timestamp);
`,
  },
  {
    name: 'resource_events',
    deletedBy: ['report'],
    history: { since: 'since' },
    ageLimit: 'events',
    ddl: `
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
  since bigint NOT NULL,
  PRIMARY KEY (report, ordinal)
);
CREATE INDEX ON {schema}.resource_events (timestamp);
CREATE INDEX ON {schema}.resource_events ("left"(resource_title, 200));
-- Failures are few and asked for most.
CREATE INDEX ON {schema}.resource_events (report) WHERE status = 'failure';
`,
  },
];
