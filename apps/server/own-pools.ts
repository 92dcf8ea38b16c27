/** Sizes of the connection pools for which no setting exists. */
export const ownPools = {
  /**
   * For checking tokens. This pool is separate, because queries and commands can occupy all connections of their own
   * pools.
   */
  access: 1,
  /** One connection for new changes, and two for streams that begin in the past. */
  changes: 3,
  /** For short look-ups, which must not wait for queries. */
  'look-up': 3,
  metrics: 2,
  /** For all subscriptions: their lock, their cursors, and reading their changes. */
  webhooks: 4,
} as const;
