/**
 * Finds rows of shared tables that no row refers to. The deletion checks each row again, because a new row can refer to
 * it.
 */
import type { Database, Session } from '#database';
import { pastName } from '../schema/past';
import type { SharedTable } from '../schema/shared-tables';

export interface UnusedRows {
  readonly table: SharedTable;
  readonly keys: readonly string[];
}

const lookedAtOnce = 2_000;
/** Limit on the unused keys that a query returns, if other tables store the keys in arrays (packages). */
const listedAtOnce = 20_000;

/**
 * Returns the condition that no row refers to the row `t`. Without LIMIT, PostgreSQL could read the whole referring
 * table.
 */
const isUnused = (schema: string, { key, usedBy, usedByPast }: SharedTable): string =>
  [...usedBy, ...usedByPast]
    .map((user) => `(SELECT true FROM ${schema}.${user} u WHERE u.${key} = t.${key} LIMIT 1) IS NULL`)
    .join(' AND ');

/** Makes PostgreSQL use indexes until the end of the transaction, even if the tables have no statistics. */
export async function preferIndexes(session: Session): Promise<void> {
  await session.query({ text: 'SET LOCAL enable_seqscan = off', values: [] });
}

/**
 * No transaction is open between two groups of rows, and each statement is short. Exception: if other tables store the
 * keys in arrays (packages), one long statement reads all arrays.
 */
export async function* findUnused(db: Database, schema: string, table: SharedTable): AsyncGenerator<UnusedRows> {
  yield* table.listedIn === undefined ? walk(db, schema, table) : subtract(db, schema, table, table.listedIn);
}

async function* walk(db: Database, schema: string, table: SharedTable): AsyncGenerator<UnusedRows> {
  const { name, key, keyType } = table;
  let last: string | null = null;
  for (;;) {
    const [found]: { count: number; last: string; unused: string[] | null }[] = await db.transaction(
      async (session) => {
        await preferIndexes(session);
        return session.query<{ count: number; last: string; unused: string[] | null }>({
          text: `SELECT count(*) AS count, (array_agg(t.${key} ORDER BY t.${key} DESC))[1]::text AS last,
                 array_agg(t.${key}::text) FILTER (WHERE ${isUnused(schema, table)}) AS unused
               FROM (SELECT ${key} FROM ${schema}.${name} WHERE $1::${keyType} IS NULL OR ${key} > $1::${keyType}
                     ORDER BY ${key} LIMIT $2) t`,
          values: [last, lookedAtOnce],
        });
      },
    );
    if (found === undefined || found.count === 0) return;
    if (found.unused !== null) yield { table, keys: found.unused };
    if (found.count < lookedAtOnce) return;
    last = found.last;
  }
}

/**
 * Subtracts the keys in arrays from all keys in one statement. A lookup for each key would read the arrays of nearly
 * all nodes each time.
 */
async function* subtract(
  db: Database,
  schema: string,
  table: SharedTable,
  listedIn: NonNullable<SharedTable['listedIn']>,
): AsyncGenerator<UnusedRows> {
  const listed = [listedIn.table, pastName(listedIn.table)].map(
    (lists) => `EXCEPT SELECT unnest(${listedIn.column}) FROM ${schema}.${lists}`,
  );
  const rows = await db.query<{ key: string }>({
    text: `SELECT key::text FROM (
             SELECT ${table.key} AS key FROM ${schema}.${table.name} ${listed.join(' ')}) AS unused
           LIMIT $1`,
    values: [listedAtOnce],
  });
  if (rows.length > 0) yield { table, keys: rows.map(({ key }) => key) };
}

/** Deletes the rows that are still unused. The transaction must hold the lock of `takeSharedRows`. */
export async function deleteUnused(session: Session, schema: string, { table, keys }: UnusedRows): Promise<number> {
  const { name, key, keyType, listedIn } = table;
  const condition =
    listedIn === undefined
      ? isUnused(schema, table)
      : [listedIn.table, pastName(listedIn.table)]
          .map(
            (
              lists,
            ) => `t.${key} <> ALL (ARRAY(SELECT DISTINCT k FROM ${schema}.${lists} l, unnest(l.${listedIn.column}) k
              WHERE l.${listedIn.column} && $1::${keyType}[] AND k = ANY($1::${keyType}[])))`,
          )
          .join(' AND ');
  const [deleted] = await session.query<{ count: number }>({
    text: `WITH gone AS (
             DELETE FROM ${schema}.${name} t WHERE t.${key} = ANY($1::${keyType}[]) AND ${condition} RETURNING 1)
           SELECT count(*) AS count FROM gone`,
    values: [keys],
  });
  return deleted?.count ?? 0;
}
