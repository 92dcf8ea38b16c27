/**
 * Deletes rows of shared tables that no row refers to, in small transactions between batches of the projectors. The log
 * contains no record of the deletion, because the deletion changes no response to a query.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  isLockTimeout,
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
  readonly tables?: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly rowsAtOnce?: number;
  /**
   * Pause between two transactions. In this time, the projector writes the batches that waited for the deletion.
   * Default: 1,000 ms.
   */
  readonly pauseMs?: number;
  readonly mostTransactions?: number;
  /**
   * Called when a search in the table or a deletion from the table has ended. If a transaction deletes rows of several
   * tables, this function is called only for the last of these tables.
   */
  readonly onTable?: (table: SharedTableName) => void;
}

/**
 * Limits on the time that batches wait for a deletion: while the deletion waits for its lock, and for each of its
 * statements.
 */
const held = { waitMs: 1_000, statementMs: 5_000 };
const mostAttempts = 8;

/**
 * Deletes unused shared rows and returns their number. Returns 0 for a generation that is not live or has another
 * projection version. Leaves rows to the next call if the projectors are too busy.
 */
export async function collectSharedRows(
  db: Database,
  generation: Generation,
  options: CollectOptions = {},
): Promise<number> {
  const { signal, pauseMs = 1_000, rowsAtOnce = 1_000, mostTransactions = 200, onTable } = options;
  // Tables of another projection version may be filled by projectors of an earlier release, which do not check the
  // epoch.
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
    // After a rebuild, the tables of the previous generation can be dropped during the search.
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

/** Returns undefined if the generation is not live, or if all attempts took too long. */
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
      if (!takesTooLong && !isLockTimeout(error)) throw error;
      if (takesTooLong) some = aTenthOf(some);
    }
    // While the deletion waits for its lock, batches cannot continue. To delay them less often, the pause becomes
    // longer with each attempt.
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
