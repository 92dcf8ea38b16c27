import type { Pool, PoolClient } from 'pg';

export interface PoolCounts {
  readonly active: number;
  readonly idle: number;
  readonly pending: number;
  readonly total: number;
  readonly max: number;
}

export interface PoolObserver {
  waited(ms: number): void;
  used(ms: number): void;
  failed(): void;
}

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
