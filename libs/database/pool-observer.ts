import type { Pool, PoolClient } from 'pg';

/** Number of connections of a pool. */
export interface PoolCounts {
  readonly active: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly pending: number;
  readonly total: number;
  /** Largest number of connections. */
  readonly max: number;
}

/** Gets the events of a pool, for metrics. Times are in milliseconds. */
export interface PoolObserver {
  /** A caller got a connection. */
  waited(ms: number): void;
  /** A caller returned a connection. */
  used(ms: number): void;
  /** A caller got no connection. */
  failed(): void;
}

/** Measures how long connections are used. */
export function watchConnectionUse(pool: Pool, watch: PoolObserver): void {
  const since = new WeakMap<PoolClient, number>();
  pool.on('acquire', (client) => since.set(client, performance.now()));
  pool.on('release', (_error, client) => {
    const startedAt = since.get(client);
    if (startedAt !== undefined) watch.used(performance.now() - startedAt);
  });
}

export const countConnections = ({ totalCount, idleCount, waitingCount, options }: Pool): PoolCounts => ({
  active: totalCount - idleCount,
  idle: idleCount,
  pending: waitingCount,
  total: totalCount,
  max: options.max,
});
