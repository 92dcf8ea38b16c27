import type { Settings } from '#config';
import type { Log } from '#observe';
import { projectionVersion } from '#projections';
import type { QueryOptions } from '#query';
import type { QueryMeters } from './metrics/query-meters';
import type { ReadSide } from './open-read';
import { queryLog } from './query-log';

export function queryOptions(
  settings: Readonly<Settings>,
  { db, waits, permits }: ReadSide,
  log: Log,
  meters: QueryMeters,
): QueryOptions {
  const writeLine = queryLog(settings, log);
  const { edition, dialect, strictQueries, nodePurgeTtl, queryTimeout, waitTimeout, limits } = settings;
  return {
    database: db,
    permits,
    projectionVersion,
    waits,
    waitTimeoutMs: waitTimeout,
    edition,
    dialect,
    strict: strictQueries,
    ...(nodePurgeTtl === 0 ? {} : { nodePurgeTtlMs: nodePurgeTtl }),
    timeoutMs: queryTimeout,
    limits,
    onQuery: (record) => {
      meters.answered(record);
      writeLine?.(record);
    },
  };
}
