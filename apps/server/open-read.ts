import { availableParallelism } from 'node:os';
import type { Settings } from '#config';
import { Database, Generations, PositionWaits } from '#database';
import { Places } from '#query';
import type { PoolMeters } from './metrics/pool-meters';
import type { Undo } from './undo';

/** What queries stand on. */
export interface ReadSide {
  /** Queries only: as many connections as queries are let in at once. */
  readonly db: Database;
  readonly places: Places;
  /** Opened. */
  readonly waits: PositionWaits;
  /** For status probes. */
  readonly generations: Generations;
}

/** Short look-ups of a row or two; they never wait behind queries. */
const lookUpConnections = 3;
const lookUpTimeoutMs = 5_000;

/** The embedded PostgreSQL shares this machine with all that must go on beside long queries. */
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
    max: lookUpConnections,
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
  return { db, places: new Places({ total, perAddress, active }), waits, generations: new Generations(lookUps) };
}
