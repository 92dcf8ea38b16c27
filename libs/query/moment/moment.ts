/** The moment that a query is asked about, as the client names it. */
export type Moment =
  /** ISO 8601, UTC. */
  | { readonly kind: 'time'; readonly time: string }
  /** Seconds from now, negative for the past. */
  | { readonly kind: 'relative'; readonly seconds: number }
  /** The next offset of each partition, and the time that `now()` means. */
  | { readonly kind: 'positions'; readonly offsets: readonly string[]; readonly time: string };
