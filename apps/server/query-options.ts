import type { Settings } from '#config';
import type { Log } from '#observe';
import { projectionVersion } from '#projections';
import type { QueryOptions, QueryRecord } from '#query';
import type { QueryMeters } from './metrics/query-meters';
import type { ReadSide } from './open-read';

/** How this process answers queries. Their text is not logged: it quotes names and values. */
export function queryOptions(
  settings: Readonly<Settings>,
  { db, waits, places }: ReadSide,
  log: Log,
  meters: QueryMeters,
): QueryOptions {
  const { edition, dialect, nodePurgeTtl, queryTimeout, waitTimeout, limits } = settings;
  return {
    database: db,
    places,
    projectionVersion,
    waits,
    waitTimeoutMs: waitTimeout,
    edition,
    dialect,
    // 0 means that nodes are never purged.
    ...(nodePurgeTtl === 0 ? {} : { nodePurgeTtlMs: nodePurgeTtl }),
    timeoutMs: queryTimeout,
    limits,
    onQuery: (record) => {
      meters.answered(record);
      const { path, origin, ms, rows, failure } = record;
      log[levelOf(failure)]({ path, origin, ms, rows, failure }, 'query');
    },
  };
}

/** Queries that were cut off are worth a line where nobody looks for each query. */
const levelOf = (failure: QueryRecord['failure']): 'info' | 'debug' =>
  failure === 'query.timeout' || failure === 'query.stalled' ? 'info' : 'debug';
