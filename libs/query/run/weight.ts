/** How much an address has asked for in about the last minute. The lightest comes first. */
export enum Weight {
  /** Its queries are short. */
  short,
  /** The address has used little query time, and its queries are not known to be short. */
  new,
  /** It has used much query time, in long queries. */
  heavy,
}
