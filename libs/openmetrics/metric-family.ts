export type Sample = {
  /** Values of the family's labels, in the order of the labels. */
  readonly labels?: readonly string[];
} & (
  | { readonly value: number }
  | {
      /** For each bound, the number of values that do not exceed it. */
      readonly buckets: readonly { readonly bound: number; readonly count: number }[];
      readonly count: number;
      readonly sum: number;
    }
);

export interface MetricFamily {
  /**
   * Name in lower case with underscores. If the values have a unit, the unit is the last part. The name of a counter
   * has no `_total`, because the writer adds this part.
   */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'info';
  /** Description, one sentence. */
  readonly help: string;
  readonly unit?: 'seconds' | 'bytes';
  readonly labels?: readonly string[];
  readonly samples: () => Iterable<Sample> | Promise<Iterable<Sample>>;
}
