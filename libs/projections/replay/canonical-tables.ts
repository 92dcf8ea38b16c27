/**
 * Converts the rows of each table to texts, for the comparison of two generations. Omits documents that age limits have
 * removed, and shared rows that no row refers to.
 */
import { arrayLiteral, type Session } from '#database';
import { partitionOfNode } from '../maintenance/nodes-of';
import { isLeft } from '../maintenance/removed-reports';
import type { OwnTable } from '../schema/read-table';
import { ownTables, tablesOfPast, tablesWithPast } from '../schema/read-tables';
import { pastName } from '../schema/past';
import { sharedTables, type SharedTable } from '../schema/shared-tables';
import { readVolatileNames } from '../timeline/volatile-facts';

export interface CanonicalTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly json: readonly string[];
  readonly key: readonly string[];
  readonly ofNode: boolean;
}

/**
 * The same record has different positions in different logs. So a comparison of tables from two logs skips these
 * columns.
 */
export const positionColumns: ReadonlySet<string> = new Set(['log_partition', 'log_offset']);

const isUsed = (schema: string, { key, usedBy, listedIn }: SharedTable, hasRemovals: boolean): string =>
  listedIn === undefined
    ? usedBy
        .map(
          (user) =>
            `t.${key} IN (SELECT u.${key} FROM ${schema}.${user} u WHERE ${stays(schema, user, hasRemovals, 'u')})`,
        )
        .join(' OR ')
    : `t.${key} IN (SELECT unnest(${listedIn.column}) FROM ${schema}.${listedIn.table})`;

const ownTable = (name: string): OwnTable | undefined => ownTables.find((table) => table.name === name);

function stays(schema: string, name: string, hasRemovals: boolean, row: string): string {
  const table = hasRemovals ? ownTable(name) : undefined;
  return table === undefined ? 'true' : isLeft(schema, table, row);
}

function counts({ schema, table, hasRemovals, past }: ComparedRows): string {
  const { name } = table;
  // Purged nodes are not compared, because generations with pasts of different lengths know different purged nodes.
  if (name === 'known_nodes') return past === undefined ? 'false' : `t.node IN (SELECT node FROM ${schema}.nodes)`;
  if (isOfPast(table) && past === undefined) return 'false';
  if (name === timesTable && past !== undefined)
    return `t.at > (${literal(past.times, 'timestamptz')})[t.log_partition + 1]`;
  if (isOfPast(table) && past !== undefined) {
    const isKept = table.columns.includes('until')
      ? `t.until >= ${startOf(past)}`
      : `t.log_offset >= (${literal(past.starts, 'bigint')})[t.log_partition + 1]`;
    if (name === 'timeline' && !past.sameVolatileFacts)
      return `${isKept} AND t.kind <> 'facts' AND NOT ${hadDeadLetter(schema)}`;
    return `${isKept} AND NOT ${table.ofNode ? hadDeadLetter(schema) : nameHadDeadLetter}`;
  }
  const shared = sharedTables.find((table) => table.name === name);
  if (shared !== undefined) return isUsed(schema, shared, hasRemovals);
  const shownBy = ownTable(name)?.shownBy;
  if (shownBy === undefined) return stays(schema, name, hasRemovals, 't');
  const isSame = shownBy.columns.map((column) => `r.${column} = t.${column}`).join(' AND ');
  // A join on a "char" column with a histogram can fail in PostgreSQL 18 (cache lookup failed for collation 0). So this
  // SQL looks up each row separately instead.
  return `(SELECT true FROM ${schema}.${shownBy.table} r WHERE ${isSame} LIMIT 1)`;
}

/** The part of the past that both generations keep. */
export interface ComparedPast {
  readonly starts: readonly number[];
  /** For each partition, only times after this time are compared. */
  readonly times: readonly string[];
  readonly sameVolatileFacts: boolean;
}

const timesTable = 'history_times';

const isOfPast = ({ name, columns }: CanonicalTable): boolean =>
  name === timesTable || columns.includes('until') || tablesOfPast.some((table) => table.name === name);

const literal = (values: readonly (string | number)[], type: string): string => `'${arrayLiteral(values)}'::${type}[]`;

const startOf = ({ starts }: ComparedPast): string =>
  `(${literal(starts, 'bigint')})[${partitionOfNode('t.node', String(starts.length))} + 1]`;

/**
 * The past of nodes with dead letters is not compared. If the limits on documents have changed, a replay can apply the
 * rejected command at the position of the command, and not at the position of its retry.
 */
const hadDeadLetter = (schema: string): string =>
  `(t.node IN (SELECT n.node FROM ${schema}.nodes n JOIN nodeledger.dead_letters d USING (certname)))`;

const nameHadDeadLetter = '(t.certname IN (SELECT certname FROM nodeledger.dead_letters))';

/** Returns undefined if one of the generations keeps no past. */
export async function comparedPast(
  session: Pick<Session, 'query'>,
  schemas: readonly string[],
): Promise<ComparedPast | undefined> {
  for (const schema of schemas) if (!(await isStored(session, `${schema}.history_starts`))) return undefined;
  // After a snapshot, the first records of the tail can be older than removed records, because the clocks of servers
  // differ. Tables that were made from the snapshot do not contain the times of the removed records.
  const times = schemas.map(
    (schema) => `coalesce((SELECT min(t.at) FROM ${schema}.${timesTable} t
        WHERE t.log_partition = s.log_partition AND t.next_offset >= s.start), 'infinity')`,
  );
  const kept = schemas.map((schema) => `SELECT log_partition, next_offset FROM ${schema}.history_starts`);
  const rows = await session.query<{ start: number; at: string; isCommon: boolean }>({
    text: `SELECT s.start, greatest(${times.join(', ')})::text AS at, s.count = $1 AS "isCommon"
           FROM (SELECT log_partition, max(next_offset) AS start, count(*) AS count
                 FROM (${kept.join(' UNION ALL ')}) AS kept GROUP BY log_partition) AS s
           ORDER BY s.log_partition`,
    values: [schemas.length],
  });
  if (rows.length === 0 || rows.some(({ isCommon }) => !isCommon)) return undefined;
  const volatile = new Set<string>();
  for (const schema of schemas)
    volatile.add(
      (await isStored(session, `${schema}.volatile_facts`))
        ? JSON.stringify(await readVolatileNames(session, schema))
        : '',
    );
  return {
    starts: rows.map(({ start }) => start),
    times: rows.map(({ at }) => at),
    sameVolatileFacts: volatile.size === 1,
  };
}

/** Generations have this table since projection version 5. */
export const hasRemovalsTable = (session: Pick<Session, 'query'>, schema: string): Promise<boolean> =>
  isStored(session, `${schema}.removals`);

async function isStored(session: Pick<Session, 'query'>, table: string): Promise<boolean> {
  const [found] = await session.query<{ stored: boolean }>({
    text: 'SELECT to_regclass($1) IS NOT NULL AS stored',
    values: [table],
  });
  return found?.stored === true;
}

/** Returns the columns that identify a row of a past table. The table itself may have no primary key. */
const keyOfPast = (name: string): string[] | undefined => {
  const table = tablesWithPast.find((one) => pastName(one.name) === name);
  return table && [...table.history.key, 'until'];
};

export async function canonicalTables(session: Pick<Session, 'query'>, schema: string): Promise<CanonicalTable[]> {
  const columnsOf = (
    condition: string,
  ): string => `(SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
               WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND ${condition})`;
  const rows = await session.query<{ name: string; columns: string[]; json: string[] | null; key: string[] | null }>({
    text: `SELECT c.relname AS name, ${columnsOf('true')} AS columns,
             ${columnsOf(`a.atttypid IN ('json'::regtype, 'jsonb'::regtype)`)} AS json,
             (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_index i
               JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
               WHERE i.indrelid = c.oid AND i.indisprimary) AS key
           FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT IN ('kept_records', 'removals', 'history_starts', 'volatile_facts')
           ORDER BY 1`,
    values: [schema],
  });
  return rows.map(({ name, columns, json, key }) => ({
    name,
    columns,
    json: json ?? [],
    // In read tables of `projectionVersion` 3 and earlier, `resource_events` has no primary key.
    key: key ?? keyOfPast(name) ?? ['report', 'ordinal'],
    ofNode: columns.includes('node'),
  }));
}

export interface ComparedRows {
  readonly schema: string;
  readonly table: CanonicalTable;
  readonly columns: readonly string[];
  readonly hasRemovals: boolean;
  readonly past: ComparedPast | undefined;
}

/** `jsonType` is a cast for columns of the types json and jsonb. */
function shownColumns({ schema, table, columns, past }: ComparedRows, jsonType = ''): [name: string, sql: string][] {
  // Tables that were made from a snapshot can have a shorter past. They contain no offset (`since`) from before the
  // start of their past.
  const since = past && `CASE WHEN NOT ${hadDeadLetter(schema)} THEN greatest(t.since, ${startOf(past)} - 1) END`;
  return columns
    .filter((column) => column !== 'since' || past !== undefined)
    .map((column) => [
      column,
      column === 'since' && since !== undefined ? since : `t.${column}${table.json.includes(column) ? jsonType : ''}`,
    ]);
}

/**
 * Returns a SELECT of the number of rows and the sum of their hashes. It is faster than `canonicalRows`, and needs
 * memory for one row only. Does not use `hash_record_extended`, because its sum would stay the same if rows exchanged
 * the values of a column.
 */
export const canonicalSum = (compared: ComparedRows): string =>
  `SELECT count(*) AS rows, sum(hashtextextended(ROW(${shownColumns(compared, '::text')
    .map(([, sql]) => sql)
    .join(', ')})::text, 0)) AS sum
   FROM ${compared.schema}.${compared.table.name} t WHERE ${counts(compared)}`;

/**
 * Returns a SELECT of `key`, `node`, `row` (JSON text) and `digest` (of the row). A comparison must not keep whole rows
 * but only their digests, because whole rows take many times the space of the compressed table.
 */
export function canonicalRows(compared: ComparedRows): string {
  const { schema, table } = compared;
  const key = table.key.map((column) => `t.${column}::text`).join(` || ' ' || `);
  const shown = shownColumns(compared).map(([name, sql]) => `${sql} AS ${name}`);
  return `SELECT ${key} AS key, ${table.ofNode ? 't.node' : 'NULL::bigint'} AS node, r.row,
            sha256(convert_to(r.row, 'UTF8')) AS digest
          FROM ${schema}.${table.name} t,
            LATERAL (SELECT row_to_json(x)::text AS row FROM (SELECT ${shown.join(', ')}) x) r
          WHERE ${counts(compared)}`;
}
