/**
 * Takes a generation; deletes the rows of its shared tables that nothing refers to any more, beside projection and queries.
 * Looking for them locks nothing. They are deleted in small transactions, between two batches of the projectors (#database,
 * `holdSharedRows`), with a pause after each. Not a record of the log: it changes no answer, and tables made again from the log
 * need not have the same unused rows.
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
import { isFault } from '#fault';
import { projectionVersion } from '../schema/read-tables';
import { sharedTables, type SharedTableName } from '../schema/shared-tables';
import { deleteUnused, findUnused, preferIndexes, type UnusedRows } from './unused-rows';

interface CollectOptions {
  /** Names of shared tables; default: all. */
  readonly tables?: readonly string[];
  /** Ends it early, between two transactions. */
  readonly signal?: AbortSignal | undefined;
  /** Most rows that one transaction deletes. */
  readonly rowsAtOnce?: number;
  /** After each transaction. A batch that had to begin again because of it has time to be written. */
  readonly pauseMs?: number;
  /** Most transactions of one collection. What is left then is for the next one. */
  readonly mostTransactions?: number;
  /**
   * Told when something of a table has ended that began when the last one ended: looking for rows, or deleting them. Rows of
   * several tables that go together count for the last of them.
   */
  readonly onTable?: (table: SharedTableName) => void;
}

/** The longest time for which a collection may block batches: while it waits for earlier batches, and for each statement. */
const held = { waitMs: 1_000, statementMs: 5_000 };
/** The number of attempts before a collection leaves the rest to the next one, because batches or statements take too long. */
const mostAttempts = 8;

const longestPauseMs = 10_000;

const lockNotAvailable = '55P03';

/**
 * Returns how many rows were deleted. A generation that is not live, or of another form, is left alone. If batches leave no
 * room, the rest is left for the next collection.
 */
export async function collectSharedRows(
  db: Database,
  generation: Generation,
  options: CollectOptions = {},
): Promise<number> {
  const { signal, pauseMs = 1_000, rowsAtOnce = 1_000, mostTransactions = 200, onTable } = options;
  // Projectors of an earlier release fill tables of an earlier form, and do not look at the epoch.
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
    // The tables go when a rebuild has made others live.
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

/** Puts together what one transaction deletes: at most so many rows, of several tables if they are few. */
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

/** Undefined if the generation is not live, or if it stays too busy: what is left is for the next collection. */
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
    // Batches wait while a collection asks for its lock, so it asks less and less often.
    await delay(Math.min(pauseMs * 2 ** attempt, longestPauseMs), undefined, { signal });
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
