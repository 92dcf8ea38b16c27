import type { Database, PositionWaits } from '#database';
import type { RequestIdentity } from '#http';
import type { Limits } from '#limits';
import { fullLanguage, type Language, strictLanguage } from '../operators/language';
import type { CompileTarget } from '../plan/target';
import { anySchema } from '../sql/fragment';
import type { Places } from './places';

/** What one query was and how it went, for a query log. Holds no results, no text of the client's query and no value in it. */
export interface QueryRecord {
  readonly identity: RequestIdentity;
  /** The name of its route: `/pdb/query/v4/nodes/{certname}/facts`. */
  readonly route: string;
  /** Free text that the client gave as `origin`, or its beginning. */
  readonly origin?: string;
  /** The statements that were sent to PostgreSQL, in order, with $1, $2 in place of the values. */
  readonly statements: readonly string[];
  /** Milliseconds until the last row, or until the failure. */
  readonly ms: number;
  readonly rows: number;
  /**
   * Absent when it went well; a fault's code otherwise. `query.timeout`: it took too long; `query.stalled`: the client did
   * not read while others waited; `query.crowded`: there was no place for it; `query.gone`: the client left.
   */
  readonly failure?: string;
}

/** How every query of this process is read. Plain data, which the thread that reads large queries gets, too. */
export interface QuerySettings {
  readonly edition: 'full' | 'open';
  readonly dialect: 'neutral' | 'puppetdb';
  /** Queries may use PuppetDB's language only. */
  readonly strict?: boolean;
  /** How long an inactive node still counts as `inactive`, milliseconds; without it for ever. */
  readonly nodePurgeTtlMs?: number;
  readonly limits: Limits;
}

/** What the query side needs from the process that hosts it. */
export interface QueryOptions extends QuerySettings {
  /** Database with the read tables. Its user may be read-only. Needs one connection for each place. */
  readonly database: Database;
  /** How many queries run at once. Whoever stops the service closes them. */
  readonly places: Places;
  /** The form of read tables that this program asks; others are not asked. */
  readonly projectionVersion: number;
  /** Over the same database, opened, on connections that queries do not use. */
  readonly waits: PositionWaits;
  /** How long a query waits at most for positions that it names, milliseconds. */
  readonly waitTimeoutMs: number;
  /** The longest time of any query, with its waiting and sending; `timeout` can only shorten it. */
  readonly timeoutMs: number;
  readonly onQuery?: (record: QueryRecord) => void;
}

/** Injection token of QueryOptions. */
export const QUERY_OPTIONS = Symbol('QueryOptions');

/** What queries of this process may be written with. */
export const languageOf = ({ strict }: QuerySettings): Language => (strict === true ? strictLanguage : fullLanguage);

/** The settings alone, which can be posted to a thread. */
export const settingsOf = ({ edition, dialect, strict, nodePurgeTtlMs, limits }: QueryOptions): QuerySettings => ({
  ...{ edition, dialect, limits },
  ...(strict !== undefined && { strict }),
  ...(nodePurgeTtlMs !== undefined && { nodePurgeTtlMs }),
});

/** What queries of this process are compiled for: tables of `anySchema`. */
export function targetOf(settings: QuerySettings): CompileTarget {
  const { edition, dialect, nodePurgeTtlMs, limits } = settings;
  return {
    schema: anySchema,
    edition,
    dialect,
    language: languageOf(settings),
    limits,
    ...(nodePurgeTtlMs === undefined ? {} : { nodePurgeSeconds: nodePurgeTtlMs / 1000 }),
  };
}
