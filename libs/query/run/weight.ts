/** What is known of an address from its queries of about the last minute; the lightest goes first. */
export enum Weight {
  /** Its queries are short. */
  short,
  /** Little is known, or it has used little query time. */
  new,
  /** It has used much query time, in long queries. */
  heavy,
}
