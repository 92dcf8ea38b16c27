export type ServicesAnswer = Readonly<
  Record<
    string,
    {
      readonly state: string;
      readonly service_version: string;
      readonly status: {
        readonly queue_depth?: number;
        readonly storage?: {
          readonly log_bytes: number;
          readonly table_bytes: number;
          readonly other_bytes: number;
          readonly wal_bytes: number | null;
          readonly disk?: {
            readonly free_bytes: number;
            readonly total_bytes: number;
            readonly seconds_until_full: number | null;
          } | null;
        };
      };
      readonly active_alerts: readonly { readonly severity: string; readonly message: string }[];
    }
  >
>;

export interface ServiceStatus {
  readonly state: string;
  readonly version: string;
  readonly waiting: number;
  readonly alerts: readonly { readonly severity: string; readonly message: string }[];
  readonly storage: ServicesAnswer[string]['status']['storage'];
}

export function readServiceStatus(answer: ServicesAnswer): ServiceStatus {
  const main = answer['puppetdb-status'] ?? Object.values(answer)[0];
  return {
    state: main?.state ?? 'unknown',
    version: main?.service_version ?? '',
    waiting: main?.status.queue_depth ?? 0,
    alerts: main?.active_alerts ?? [],
    storage: main?.status.storage,
  };
}
