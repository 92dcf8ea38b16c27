/** How much query time an address has used in about the last minute. Smaller priorities are served first. */
export enum Priority {
  short,
  /** The address has used little query time, and its queries are not known to be short. */
  new,
  /** The address has used much query time in long queries. */
  heavy,
}
