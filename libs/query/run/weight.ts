/** How much an address has asked for in about the last minute. The lightest comes first. */
export enum Weight {
  /** Its queries are short. */
  short,
  /** Little is known, or it has used little query time. */
  new,
  /** It has used much query time, in long queries. */
  heavy,
}
