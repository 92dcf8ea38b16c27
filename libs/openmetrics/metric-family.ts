export type Sample = {
  /** Values of the family's labels, in the order in which the family names the labels. */
  readonly labels?: readonly string[];
} & (
  | { readonly value: number }
  | {
      /** For each bound, the number of values that do not exceed the bound. */
      readonly buckets: readonly { readonly bound: number; readonly count: number }[];
      readonly count: number;
      readonly sum: number;
    }
);

export interface MetricFamily {
  /**
   * Name of the metric, in lower case with underscores. If the values have a unit, the name ends with the unit. The
   * name of a counter does not end with `_total`, because the writer adds this part.
   */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'info';
  /** Description of the metric in one sentence. */
  readonly help: string;
  readonly unit?: 'seconds' | 'bytes';
  readonly labels?: readonly string[];
  readonly samples: () => Iterable<Sample> | Promise<Iterable<Sample>>;
}
