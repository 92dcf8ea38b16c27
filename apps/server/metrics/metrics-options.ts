import type { JolokiaOptions } from '#jolokia';
import type { Limits } from '#limits';
import type { MetricFamily } from '#openmetrics';

/** The sources from which the routes of the metrics answer. */
export interface MetricsOptions {
  readonly jolokia: JolokiaOptions;
  readonly families: readonly MetricFamily[];
  readonly limits: Limits;
}

/** Injection token of MetricsOptions. */
export const METRICS_OPTIONS = Symbol('MetricsOptions');
