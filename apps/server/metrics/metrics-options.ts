import type { JolokiaOptions } from '#jolokia';
import type { Limits } from '#limits';
import type { MetricFamily } from '#openmetrics';

export interface MetricsOptions {
  readonly jolokia: JolokiaOptions;
  readonly families: readonly MetricFamily[];
  readonly limits: Limits;
}

export const METRICS_OPTIONS = Symbol('MetricsOptions');
