import type { Database, Generations, PositionWaits } from '#database';
import type { Limits } from '#limits';
import type { CompileTarget } from '../plan/target';

/** What one query was and how it went; for a query log. Never holds results. */
export interface QueryRecord {
  /** Path below the query root with its query string's names removed, e.g. `nodes/web01/facts`; empty at the root. */
  readonly path: string;
  /** The query as the client wrote it, PQL or JSON; absent without one. */
  readonly query?: string;
  /** Free text that the client gave as `origin`. */
  readonly origin?: string;
  /** Milliseconds until the last row, or until the failure. */
  readonly ms: number;
  readonly rows: number;
  /** Absent when it went well; a fault's code otherwise (`query.gone`: the client left). */
  readonly failure?: string;
}

/** What the query side needs from the process that hosts it. */
export interface QueryOptions {
  /** Where the read tables are; statements on it need no right to write. */
  readonly database: Database;
  readonly generations: Generations;
  /** The form of read tables that this program asks; others are not asked. */
  readonly projectionVersion: number;
  /** Over the same database, opened. */
  readonly waits: PositionWaits;
  /** How long a query waits at most for positions that it names, milliseconds. */
  readonly waitTimeoutMs: number;
  readonly edition: 'full' | 'open';
  readonly dialect: 'neutral' | 'puppetdb';
  /** How long an inactive node still counts as `inactive`, milliseconds; without it for ever. */
  readonly nodePurgeTtlMs?: number;
  /** For queries that name no `timeout` themselves. */
  readonly timeoutMs: number;
  /** Upper bound of what a client can ask for as `timeout`; none by default. */
  readonly maxTimeoutMs?: number;
  readonly limits: Limits;
  readonly onQuery?: (record: QueryRecord) => void;
}

/** Injection token of QueryOptions. */
export const QUERY_OPTIONS = Symbol('QueryOptions');

/** Where and how every query of this process is answered, but for the generation's schema. */
export function targetOf({ edition, dialect, nodePurgeTtlMs, limits }: QueryOptions, schema: string): CompileTarget {
  return {
    schema,
    edition,
    dialect,
    limits,
    ...(nodePurgeTtlMs === undefined ? {} : { nodePurgeSeconds: nodePurgeTtlMs / 1000 }),
  };
}
