/** The past time whose rows a query selects, in the form in which the client gives the time. */
export type Moment =
  /** A time in ISO 8601, in UTC. */
  | { readonly kind: 'time'; readonly time: string }
  /** Seconds from now, negative for the past. */
  | { readonly kind: 'relative'; readonly seconds: number }
  /** The offset of the next record in each partition, and the time that `now()` returns. */
  | { readonly kind: 'positions'; readonly offsets: readonly string[]; readonly time: string };
