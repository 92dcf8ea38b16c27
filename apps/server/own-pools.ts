/** Connections of the pools whose size no setting decides, by their application name. */
export const ownPools = {
  /** Reads tokens. Queries and commands may occupy all connections of their pools. */
  access: 1,
  /** One for new changes, and the others for streams that begin in the past. None of them is used by queries. */
  changes: 3,
  /** For short look-ups of a few rows. They are separate, so that look-ups never wait for queries. */
  'look-up': 3,
  metrics: 2,
  /** For the lock, the cursors and the changes of all subscriptions. Commands and queries use other connections. */
  webhooks: 4,
} as const;
