/** Sizes of the pools whose size no setting decides, by their application name. */
export const ownPools = {
  /** Reads tokens. Separate, because queries and commands may occupy all connections of their pools. */
  access: 1,
  /** One connection for new changes, and the others for streams that begin in the past. Queries use none of them. */
  changes: 3,
  /** For short look-ups of a few rows. Separate, so that look-ups never wait for queries. */
  'look-up': 3,
  metrics: 2,
  /**
   * For the lock, the cursors and the changes of all subscriptions. Separate from the connections of commands and
   * queries.
   */
  webhooks: 4,
} as const;
