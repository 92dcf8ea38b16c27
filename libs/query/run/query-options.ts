import type { Database, PositionWaits } from '#database';
import type { RequestIdentity } from '#http';
import type { Limits } from '#limits';
import { fullLanguage, type Language, strictLanguage } from '../operators/language';
import type { CompileTarget } from '../plan/target';
import { anySchema } from '../sql/fragment';
import type { Permits } from './permits';

/** Entry of the query log. Contains neither values from the query nor results. */
export interface QueryRecord {
  readonly identity: RequestIdentity;
  /** Name of the route, such as `/pdb/query/v4/nodes/{certname}/facts`. */
  readonly route: string;
  readonly origin?: string;
  /** The statements that were sent to PostgreSQL, in order. They contain $1, $2 … instead of values. */
  readonly statements: readonly string[];
  /** Milliseconds from the start of the request to its end or failure. */
  readonly ms: number;
  readonly rows: number;
  /**
   * Code of the fault, absent if the query succeeded. `query.timeout`: the time limit ended the query. `query.stalled`:
   * the client did not read its answer while other requests waited. `query.crowded`: no permit became free.
   * `query.gone`: the client closed the connection.
   */
  readonly failure?: string;
}

/** Plain data only, so that the thread for large queries can receive the settings. */
export interface QuerySettings {
  readonly edition: 'full' | 'open';
  readonly dialect: 'neutral' | 'puppetdb';
  readonly strict?: boolean | undefined;
  /** A node counts as `inactive` for this time after it was deactivated or has expired. Absent if there is no limit. */
  readonly nodePurgeTtlMs?: number | undefined;
  readonly limits: Limits;
}

export interface QueryOptions extends QuerySettings {
  /** The user of the database can be read-only. The pool must offer one connection for each permit. */
  readonly database: Database;
  /** The module that creates the permits closes them when the service stops. */
  readonly permits: Permits;
  /**
   * Version of the read tables that this program can query. If the tables have another version, queries are refused.
   */
  readonly projectionVersion: number;
  /** Must be open, and must use connections that queries do not use. */
  readonly waits: PositionWaits;
  /** Longest time that a query waits for positions in its header. */
  readonly waitTimeoutMs: number;
  /** Time limit of each query, including waiting and sending. The parameter `timeout` can only shorten this limit. */
  readonly timeoutMs: number;
  readonly onQuery?: (record: QueryRecord) => void;
}

export const QUERY_OPTIONS = Symbol('QueryOptions');

export const languageOf = ({ strict }: QuerySettings): Language => (strict === true ? strictLanguage : fullLanguage);

/** Leaves out all options that cannot be sent to a thread. */
export const settingsOf = ({ edition, dialect, strict, nodePurgeTtlMs, limits }: QueryOptions): QuerySettings => ({
  ...{ edition, dialect, strict, nodePurgeTtlMs, limits },
});

/** Statements that are compiled for this target contain the placeholder `anySchema` instead of a schema. */
export function targetOf(settings: QuerySettings): CompileTarget {
  const { edition, dialect, nodePurgeTtlMs, limits } = settings;
  return {
    schema: anySchema,
    edition,
    dialect,
    language: languageOf(settings),
    limits,
    nodePurgeSeconds: nodePurgeTtlMs === undefined ? undefined : nodePurgeTtlMs / 1000,
  };
}
