/** The time in the past at which a query reads the tables, in the form that the client sent. */
export type Moment =
  /** ISO 8601, in UTC. */
  | { readonly kind: 'time'; readonly time: string }
  /** Seconds from now, negative for the past. */
  | { readonly kind: 'relative'; readonly seconds: number }
  /** The offset of the next record in each partition, and the time that `now()` returns. */
  | { readonly kind: 'positions'; readonly offsets: readonly string[]; readonly time: string };
