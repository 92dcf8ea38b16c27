import type { Settings } from '#config';
import { type Database, Generations, type PositionWaits } from '#database';
import type { Log } from '#observe';
import { projectionVersion } from '#projections';
import type { QueryOptions } from '#query';

/** How this process answers queries. Their text is not logged: it quotes names and values. */
export function queryOptions(
  settings: Readonly<Settings>,
  database: Database,
  waits: PositionWaits,
  log: Log,
): QueryOptions {
  const { edition, dialect, nodePurgeTtl, queryTimeout, waitTimeout, limits } = settings;
  return {
    database,
    generations: new Generations(database),
    projectionVersion,
    waits,
    waitTimeoutMs: waitTimeout,
    edition,
    dialect,
    // 0 means that nodes are never purged.
    ...(nodePurgeTtl === 0 ? {} : { nodePurgeTtlMs: nodePurgeTtl }),
    timeoutMs: queryTimeout,
    limits,
    onQuery: ({ path, origin, ms, rows, failure }) => log.debug({ path, origin, ms, rows, failure }, 'query'),
  };
}
