/** One value or one histogram, with its labels. */
export type Sample = {
  /** One value for each label of the family, in their order. */
  readonly labels?: readonly string[];
} & (
  | { readonly value: number }
  | {
      /** Number of values that do not exceed each bound. */
      readonly buckets: readonly { readonly bound: number; readonly count: number }[];
      readonly count: number;
      readonly sum: number;
    }
);

/** All samples of one metric. */
export interface MetricFamily {
  /** Lower case with underscores. The last part is the unit, if there is one. Counters without `_total`. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'info';
  /** One sentence. */
  readonly help: string;
  readonly unit?: 'seconds' | 'bytes';
  readonly labels?: readonly string[];
  readonly samples: () => Iterable<Sample> | Promise<Iterable<Sample>>;
}
