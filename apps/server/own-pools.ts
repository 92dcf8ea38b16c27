/**
 * Sizes of the connection pools for which no setting exists. A key is the application name of the pool's connections.
 */
export const ownPools = {
  /**
   * For reading tokens. The pool is separate, because queries and commands can occupy all connections of their own
   * pools.
   */
  access: 1,
  /** For streams of changes: one connection for new changes, and two for streams that begin in the past. */
  changes: 3,
  /** For short look-ups that read a few rows. The pool is separate, so that look-ups never wait for queries. */
  'look-up': 3,
  metrics: 2,
  /** For all subscriptions: their lock, their cursors, and reading their changes. */
  webhooks: 4,
} as const;
