import type { ReadTable } from '../schema/read-table';

export const nodeTables: readonly ReadTable[] = [
  {
    name: 'nodes',
    deletedBy: ['node'],
    history: { since: 'since', key: ['node'] },
    ddl: `
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
  log_offset bigint,
  since bigint NOT NULL
) WITH (fillfactor = 80);
`,
  },
  {
    name: 'known_nodes',
    deletedBy: ['node'],
    belongsToPast: true,
    ddl: `
-- The nodes that have a row in nodes or nodes_past. A question about the past looks up one version of each of them.
CREATE TABLE {schema}.known_nodes (
  node bigint PRIMARY KEY
);
`,
  },
];
