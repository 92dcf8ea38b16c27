import { availableParallelism } from 'node:os';
import type { Settings } from '#config';
import { Database, Generations, PositionWaits } from '#database';
import { Permits } from '#query';
import type { PoolMeters } from './metrics/pool-meters';
import { ownPools } from './own-pools';
import type { Undo } from './undo';

export interface ReadSide {
  readonly db: Database;
  readonly permits: Permits;
  readonly waits: PositionWaits;
  /** For status checks. Queries cannot occupy the connections of these generations. */
  readonly generations: Generations;
}

const lookUpTimeoutMs = 5_000;

/**
 * One processor stays free for commands and the projector, which run on the same machine as the embedded PostgreSQL.
 */
const processorsForQueries = (): number => Math.max(1, availableParallelism() - 1);

export async function openRead(
  settings: Readonly<Settings>,
  connectionString: string,
  undo: Undo,
  pool: PoolMeters,
): Promise<ReadSide> {
  const total = settings.maxQueries ?? settings.readPoolSize;
  const db = new Database({
    connectionString,
    max: settings.readPoolSize,
    applicationName: 'nodeledger read',
    statementTimeoutMs: settings.queryTimeout,
    readOnly: true,
    pipeline: true,
    keepPlans: true,
    watch: pool,
  });
  pool.attach(db);
  undo.add('the read pool', () => db.close());
  const lookUps = new Database({
    connectionString,
    max: ownPools['look-up'],
    applicationName: 'nodeledger look-up',
    statementTimeoutMs: lookUpTimeoutMs,
    connectTimeoutMs: lookUpTimeoutMs,
    readOnly: true,
  });
  undo.add('the look-up pool', () => lookUps.close());
  const waits = new PositionWaits(lookUps);
  await waits.open();
  const perAddress = settings.maxQueriesPerClient ?? Math.ceil(total / 2);
  const active = settings.maxActiveQueries ?? (settings.databaseUrl === undefined ? processorsForQueries() : total);
  return { db, permits: new Permits({ total, perAddress, active }), waits, generations: new Generations(lookUps) };
}
