export type { MetricFamily, Sample } from './metric-family';
export { openMetricsType, writeOpenMetrics } from './write-open-metrics';
