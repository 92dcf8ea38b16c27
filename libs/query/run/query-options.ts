import type { Database, PositionWaits } from '#database';
import type { RequestIdentity } from '#http';
import type { Limits } from '#limits';
import { fullLanguage, type Language, strictLanguage } from '../operators/language';
import type { CompileTarget } from '../plan/target';
import { anySchema } from '../sql/fragment';
import type { Permits } from './permits';

/**
 * A record of one query for a query log. Contains no results, and neither the text nor the values of the client's
 * query.
 */
export interface QueryRecord {
  readonly identity: RequestIdentity;
  /** Name of the route, such as `/pdb/query/v4/nodes/{certname}/facts`. */
  readonly route: string;
  /** Text of the client's parameter `origin`, shortened if it is long. Absent if the client gave none. */
  readonly origin?: string;
  /** The statements that were sent to PostgreSQL, in order. They contain $1, $2 … instead of values. */
  readonly statements: readonly string[];
  /** Milliseconds until the last row or until the failure. */
  readonly ms: number;
  readonly rows: number;
  /**
   * Code of the fault, absent if the query succeeded. `query.timeout`: the time limit ended the query. `query.stalled`:
   * the client did not read its answer while other requests waited. `query.crowded`: no permit became free.
   * `query.gone`: the client closed the connection.
   */
  readonly failure?: string;
}

/**
 * Settings that apply to every query of this process. Contains plain data only, so that the thread for large queries
 * can receive it.
 */
export interface QuerySettings {
  readonly edition: 'full' | 'open';
  readonly dialect: 'neutral' | 'puppetdb';
  /** True if queries may use only PuppetDB's language. */
  readonly strict?: boolean;
  /**
   * Number of milliseconds during which a deactivated or expired node counts as `inactive`. Absent if there is no
   * limit.
   */
  readonly nodePurgeTtlMs?: number;
  readonly limits: Limits;
}

export interface QueryOptions extends QuerySettings {
  /** Database with the read tables. Its user can be read-only. It must offer one connection for each permit. */
  readonly database: Database;
  /** Each query takes one of these permits before it runs. The module that creates the permits closes them when the service stops. */
  readonly permits: Permits;
  /**
   * Version of the read tables that this program can query. If the tables have another version, queries are refused.
   */
  readonly projectionVersion: number;
  /** Lets queries wait for positions in the log. Must be open, and must use connections that queries do not use. */
  readonly waits: PositionWaits;
  /** Longest time that a query waits for positions in its header, in milliseconds. */
  readonly waitTimeoutMs: number;
  /**
   * Time limit of each query, including waiting and sending, in milliseconds. The parameter `timeout` can only shorten
   * it.
   */
  readonly timeoutMs: number;
  readonly onQuery?: (record: QueryRecord) => void;
}

export const QUERY_OPTIONS = Symbol('QueryOptions');

export const languageOf = ({ strict }: QuerySettings): Language => (strict === true ? strictLanguage : fullLanguage);

/** Returns only the settings, which can be sent to a thread. */
export const settingsOf = ({ edition, dialect, strict, nodePurgeTtlMs, limits }: QueryOptions): QuerySettings => ({
  ...{ edition, dialect, limits },
  ...(strict !== undefined && { strict }),
  ...(nodePurgeTtlMs !== undefined && { nodePurgeTtlMs }),
});

/** Returns the options for compiling queries. The statements name tables of `anySchema`. */
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
