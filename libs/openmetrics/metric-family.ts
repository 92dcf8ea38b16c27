export type Sample = {
  readonly labels?: readonly string[];
} & (
  | { readonly value: number }
  | {
      /** `count` is the number of values that do not exceed `bound`. */
      readonly buckets: readonly { readonly bound: number; readonly count: number }[];
      readonly count: number;
      readonly sum: number;
    }
);

export interface MetricFamily {
  /**
   * Lower case with underscores. The name ends with the unit, if there is one. The name of a counter does not end with
   * `_total`, because the writer adds `_total`.
   */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'info';
  readonly help: string;
  readonly unit?: 'seconds' | 'bytes';
  readonly labels?: readonly string[];
  readonly samples: () => Iterable<Sample> | Promise<Iterable<Sample>>;
}
