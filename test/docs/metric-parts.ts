import type { Database } from '#database';
import type { MetricParts } from '../../apps/server/metrics/metric-table';
import { ServiceMeters } from '../../apps/server/metrics/service-meters';
import { StoredFigures } from '../../apps/server/metrics/stored-figures';

/** Parts for tables of metrics of which only names and texts are read. */
export const metricParts: MetricParts = {
  meters: new ServiceMeters(),
  stored: new StoredFigures({} as Database, undefined, true),
  threads: [],
  live: {
    heldBodyBytes: () => 0,
    queries: () => undefined,
    streams: () => undefined,
    projectorRuns: () => undefined,
    alerts: () => [],
    storage: async () => undefined,
    webhookLags: () => undefined,
  },
  build: { reportedVersion: '0', version: '1', components: 'read' },
};
