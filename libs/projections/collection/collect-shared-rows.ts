/**
 * Deletes rows of shared tables that no row refers to, beside projection and queries. Looking for them locks nothing.
 * Deletes them in small transactions between two batches of the projectors (#database, `holdSharedRows`), with a pause
 * after each. Not a record of the log, because it changes no answer, and rebuilt tables need not have the same unused
 * rows.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  databaseErrorCode,
  raiseSharedEpoch,
  takeSharedRows,
  type Database,
  type Generation,
  type Session,
} from '#database';
import { isFault, retryDelay } from '#fault';
import { projectionVersion } from '../schema/read-tables';
import { sharedTables, type SharedTableName } from '../schema/shared-tables';
import { deleteUnused, findUnused, preferIndexes, type UnusedRows } from './unused-rows';

interface CollectOptions {
  /** Names of shared tables; default: all. */
  readonly tables?: readonly string[];
  /** Aborting stops between two transactions. */
  readonly signal?: AbortSignal | undefined;
  /** Limit of rows that one transaction deletes. */
  readonly rowsAtOnce?: number;
  /** Pause after each transaction, so that a batch that had to begin again can be written. */
  readonly pauseMs?: number;
  /** Limit of transactions. The next call does the rest. */
  readonly mostTransactions?: number;
  /**
   * Called when a search or a deletion for a table has ended. If rows of several tables are deleted together, called for
   * the last of them.
   */
  readonly onTable?: (table: SharedTableName) => void;
}

/** Longest time for which batches may be blocked: while it waits for earlier batches, and for each statement. */
const held = { waitMs: 1_000, statementMs: 5_000 };
/** Number of attempts before the rest is left to the next call, because batches or statements take too long. */
const mostAttempts = 8;

const lockNotAvailable = '55P03';

/**
 * Returns the number of deleted rows. Does nothing for a generation that is not live or has another schema version. If
 * batches are too busy, leaves the rest to the next call.
 */
export async function collectSharedRows(
  db: Database,
  generation: Generation,
  options: CollectOptions = {},
): Promise<number> {
  const { signal, pauseMs = 1_000, rowsAtOnce = 1_000, mostTransactions = 200, onTable } = options;
  // Projectors of an earlier release, which fill tables of an earlier schema version, do not check the epoch.
  if (generation.projectionVersion !== projectionVersion) return 0;
  let deleted = 0;
  let transactions = 0;
  try {
    for await (const rows of portions(unusedIn(db, generation.schema, options), rowsAtOnce)) {
      if (signal?.aborted || transactions === mostTransactions) break;
      if (transactions > 0) await delay(pauseMs, undefined, { signal });
      const gone = await deletePatiently(db, generation, rows, pauseMs, signal);
      const last = rows.at(-1);
      if (last !== undefined) onTable?.(last.table.name);
      if (gone === undefined) break;
      deleted += gone;
      transactions += 1;
    }
  } catch (error) {
    // The tables are dropped when a rebuild has made others live.
    if (!signal?.aborted && (await isLive(db, generation))) throw error;
  }
  return deleted;
}

async function* unusedIn(
  db: Database,
  schema: string,
  { tables, onTable }: Pick<CollectOptions, 'tables' | 'onTable'>,
): AsyncGenerator<UnusedRows> {
  for (const table of sharedTables) {
    if (tables !== undefined && !tables.includes(table.name)) continue;
    for await (const rows of findUnused(db, schema, table)) {
      onTable?.(table.name);
      yield rows;
    }
    onTable?.(table.name);
  }
}

/** Groups the rows that one transaction deletes. A group has rows of several tables if these have few. */
async function* portions(found: AsyncIterable<UnusedRows>, size: number): AsyncGenerator<UnusedRows[]> {
  let portion: UnusedRows[] = [];
  let rows = 0;
  for await (const { table, keys } of found) {
    for (let from = 0; from < keys.length;) {
      const some = keys.slice(from, from + size - rows);
      portion.push({ table, keys: some });
      from += some.length;
      rows += some.length;
      if (rows < size) continue;
      yield portion;
      portion = [];
      rows = 0;
    }
  }
  if (rows > 0) yield portion;
}

/** Returns undefined if the generation is not live, or stays too busy. */
async function deletePatiently(
  db: Database,
  generation: Generation,
  rows: readonly UnusedRows[],
  pauseMs: number,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  let some = rows;
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    try {
      return await db.transaction((session) => deleteRows(session, generation, some));
    } catch (error) {
      const takesTooLong = isFault(error) && error.code === 'database.timeout';
      if (!takesTooLong && databaseErrorCode(error) !== lockNotAvailable) throw error;
      if (takesTooLong) some = aTenthOf(some);
    }
    // Batches wait while this asks for its lock, so it asks less and less often.
    await delay(retryDelay(attempt, { firstMs: 2 * pauseMs, longestMs: 10_000 }), undefined, { signal });
  }
  return undefined;
}

const aTenthOf = ([first]: readonly UnusedRows[]): UnusedRows[] =>
  first === undefined ? [] : [{ table: first.table, keys: first.keys.slice(0, Math.ceil(first.keys.length / 10)) }];

async function deleteRows(
  session: Session,
  { generation, schema }: Generation,
  rows: readonly UnusedRows[],
): Promise<number | undefined> {
  await takeSharedRows(session, generation, held);
  if (!(await isLive(session, { generation }))) return undefined;
  await preferIndexes(session);
  let deleted = 0;
  for (const some of rows) deleted += await deleteUnused(session, schema, some);
  if (deleted > 0) await raiseSharedEpoch(session, generation);
  return deleted;
}

async function isLive(db: Pick<Session, 'query'>, { generation }: Pick<Generation, 'generation'>): Promise<boolean> {
  const rows = await db.query({
    text: `SELECT FROM nodeledger.generations WHERE generation = $1 AND state = 'live'`,
    values: [generation],
  });
  return rows.length > 0;
}
