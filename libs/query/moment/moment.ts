/** The past time whose rows a query selects, as the client gives it. */
export type Moment =
  /** ISO 8601, in UTC. */
  | { readonly kind: 'time'; readonly time: string }
  /** Seconds from now, negative for the past. */
  | { readonly kind: 'relative'; readonly seconds: number }
  /** The offset of the next record in each partition, and the time that `now()` returns. */
  | { readonly kind: 'positions'; readonly offsets: readonly string[]; readonly time: string };
