import type { Column } from '../copy-rows';
import type { NodeRow } from '../node-state';

/** Columns of `nodes` that records change, in the order in which they are written. */
export const nodeColumns: Readonly<Record<keyof NodeRow, Column>> = {
  deactivated: { name: 'deactivated', type: 'timestamptz' },
  expired: { name: 'expired', type: 'timestamptz' },
  expiredCutoff: { name: 'expired_cutoff', type: 'timestamptz' },
  catalogTimestamp: { name: 'catalog_timestamp', type: 'timestamptz' },
  factsTimestamp: { name: 'facts_timestamp', type: 'timestamptz' },
  reportTimestamp: { name: 'report_timestamp', type: 'timestamptz' },
  catalogEnvironment: { name: 'catalog_environment', type: 'text' },
  factsEnvironment: { name: 'facts_environment', type: 'text' },
  reportEnvironment: { name: 'report_environment', type: 'text' },
  latestReportStatus: { name: 'latest_report_status', type: 'text' },
  latestReportNoop: { name: 'latest_report_noop', type: 'boolean' },
  latestReportNoopPending: { name: 'latest_report_noop_pending', type: 'boolean' },
  latestReportCorrectiveChange: { name: 'latest_report_corrective_change', type: 'boolean' },
  latestReportHash: { name: 'latest_report_hash', type: 'text' },
  latestReportJobId: { name: 'latest_report_job_id', type: 'text' },
  cachedCatalogStatus: { name: 'cached_catalog_status', type: 'text' },
  catalogProducerTimestamp: { name: 'catalog_producer_timestamp', type: 'timestamptz' },
  factsProducerTimestamp: { name: 'facts_producer_timestamp', type: 'timestamptz' },
  reportProducerTimestamp: { name: 'report_producer_timestamp', type: 'timestamptz' },
  inputsProducerTimestamp: { name: 'inputs_producer_timestamp', type: 'timestamptz' },
  expiresFacts: { name: 'expires_facts', type: 'boolean' },
  expiresFactsUpdated: { name: 'expires_facts_updated', type: 'timestamptz' },
  logPartition: { name: 'log_partition', type: 'int' },
  logOffset: { name: 'log_offset', type: 'bigint' },
};

export const latestReportFields = [
  'reportProducerTimestamp',
  'reportTimestamp',
  'reportEnvironment',
  'latestReportStatus',
  'latestReportNoop',
  'latestReportNoopPending',
  'latestReportCorrectiveChange',
  'latestReportHash',
  'latestReportJobId',
  'cachedCatalogStatus',
] as const satisfies readonly (keyof NodeRow)[];
