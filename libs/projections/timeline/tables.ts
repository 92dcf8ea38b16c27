import type { ReadTable } from '../schema/read-table';

export const timelineTables: readonly ReadTable[] = [
  {
    name: 'timeline',
    deletedBy: ['node'],
    belongsToPast: true,
    refersTo: ['environments', 'producers'],
    ddl: `
-- One row for each record of a node that changed something, and for each kind of change: facts, packages, catalog, report, deactivated,
-- expired, returned. It goes with the past. No values: what the record ended is in the tables of the past, with until = log_offset.
CREATE TABLE {schema}.timeline (
  node bigint NOT NULL,
  log_partition int NOT NULL,
  log_offset bigint NOT NULL,
  kind text COLLATE {collation} NOT NULL,
  -- Of the command.
  uuid text COLLATE {collation} NOT NULL,
  received_at timestamptz NOT NULL,
  producer_timestamp timestamptz,
  environment bigint,
  producer bigint,
  -- Of a report.
  status text COLLATE {collation},
  -- Facts that are not volatile; packages by name and provider; resources by type and title. Of a report, changed counts its events. A
  -- catalog without such changes has other edges, another environment or another code_id.
  added int NOT NULL,
  changed int NOT NULL,
  removed int NOT NULL,
  -- The keys of the first 100 of these facts, resources and packages, with the contents or versions that came and those that went.
  fact_keys bigint[],
  content_keys uuid[],
  package_keys bigint[],
  PRIMARY KEY (node, log_offset, kind)
);
CREATE INDEX ON {schema}.timeline (log_partition, log_offset);
CREATE INDEX ON {schema}.timeline (received_at);
CREATE INDEX ON {schema}.timeline (environment);
CREATE INDEX ON {schema}.timeline (producer);
`,
  },
  {
    name: 'deleted_nodes',
    deletedBy: [],
    belongsToPast: true,
    ddl: `
-- What is left of a deleted node for a day: its name, so that those who follow the changes learn of the deletion.
CREATE TABLE {schema}.deleted_nodes (
  log_partition int NOT NULL,
  log_offset bigint NOT NULL,
  certname text COLLATE {collation} NOT NULL,
  -- Of the command.
  uuid text COLLATE {collation} NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (log_partition, log_offset)
);
`,
  },
  {
    name: 'volatile_facts',
    deletedBy: [],
    ddl: `
-- The names of the facts that make no row of the timeline. Stored when the tables are created, because the settings of processes can differ.
CREATE TABLE {schema}.volatile_facts (
  name text COLLATE {collation} PRIMARY KEY
);
`,
  },
];
