import type { Pool, PoolClient } from 'pg';

/** Connections of a pool at the moment. */
export interface PoolCounts {
  readonly active: number;
  readonly idle: number;
  /** Callers that wait for one. */
  readonly pending: number;
  readonly total: number;
  /** Most at once. */
  readonly max: number;
}

/** Told what happens in a pool; for measuring. Times are milliseconds. */
export interface PoolWatch {
  /** A caller has its connection. */
  waited(ms: number): void;
  /** A connection was given back. */
  used(ms: number): void;
  /** A caller got none. */
  failed(): void;
}

/** Tells how long connections are held. */
export function watchConnectionUse(pool: Pool, watch: PoolWatch): void {
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
