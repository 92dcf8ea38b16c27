export interface NodeRow {
  readonly certname: string;
  readonly deactivated: string | null;
  readonly expired: string | null;
  readonly report_timestamp: string | null;
  readonly facts_timestamp: string | null;
  readonly catalog_timestamp: string | null;
  readonly report_environment: string | null;
  readonly facts_environment: string | null;
  readonly catalog_environment: string | null;
  readonly latest_report_status: string | null;
  readonly latest_report_hash: string | null;
  readonly latest_report_noop: boolean | null;
  readonly cached_catalog_status: string | null;
}
