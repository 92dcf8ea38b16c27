/** Rank of an address by the query time that it has used in about the last minute. Smaller values are served first. */
export enum Priority {
  short,
  /** The address has used little query time, and its queries are not known to be short. */
  new,
  /** The address has used much query time in long queries. */
  heavy,
}
