import type { Generation, Session } from '#database';
import {
  canonicalRows,
  canonicalTables,
  comparedPast,
  hasRemovalsTable,
  positionColumns,
  canonicalSum,
  type CanonicalTable,
  type ComparedRows,
} from './canonical-tables';

/** Rows are JSON texts. A missing row is null. */
export interface Difference {
  readonly table: string;
  /** Null for shared rows, and for nodes that neither generation has. */
  readonly certname: string | null;
  readonly live: string | null;
  readonly replayed: string | null;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Number of all differences, including the differences that are not returned. */
  readonly counted: number;
  readonly rows: number;
}

interface CompareOptions {
  readonly mostNamed?: number;
  /** Whether to compare positions. Must be false if the generations were made from different logs. Default: true. */
  readonly positions?: boolean;
  readonly onTable?: (done: number, total: number) => void;
}

/** Omits tables and columns that only one generation has, because projection versions can differ. */
export async function compareGenerations(
  session: Pick<Session, 'query'>,
  live: Generation,
  replayed: Generation,
  { mostNamed = 100, positions = true, onTable }: CompareOptions = {},
): Promise<Comparison> {
  const theirs = new Map((await canonicalTables(session, replayed.schema)).map((table) => [table.name, table]));
  const tables = (await canonicalTables(session, live.schema)).filter(({ name }) => theirs.has(name));
  const hasRemovals = new Map<string, boolean>();
  // The past contains positions. So the pasts of different logs are not compared.
  const past = positions ? await comparedPast(session, [live.schema, replayed.schema]) : undefined;
  for (const { schema } of [live, replayed]) hasRemovals.set(schema, await hasRemovalsTable(session, schema));
  const differences: Difference[] = [];
  let counted = 0;
  let rows = 0;
  for (const [index, table] of tables.entries()) {
    onTable?.(index, tables.length);
    const other = theirs.get(table.name) as CanonicalTable;
    const shared = new Set(other.columns);
    const columns = table.columns.filter((column) => shared.has(column) && (positions || !positionColumns.has(column)));
    const rowsOf = ({ schema }: Generation): ComparedRows => ({
      ...{ schema, columns, past },
      table: { ...table, json: [...table.json, ...other.json] },
      hasRemovals: hasRemovals.get(schema) === true,
    });
    const found = await differing(session, rowsOf(live), rowsOf(replayed), mostNamed - differences.length);
    differences.push(...found.differences);
    counted += found.counted;
    rows += found.rows;
  }
  onTable?.(tables.length, tables.length);
  return { differences, counted, rows };
}

interface Row {
  certname: string | null;
  live: string | null;
  replayed: string | null;
}

async function differing(
  session: Pick<Session, 'query'>,
  live: ComparedRows,
  replayed: ComparedRows,
  limit: number,
): Promise<Comparison> {
  const [sums] = await session.query<{ rows: number; areEqual: boolean }>({
    text: `SELECT r.rows, (l.rows, l.sum) IS NOT DISTINCT FROM (r.rows, r.sum) AS "areEqual"
           FROM (${canonicalSum(live)}) l, (${canonicalSum(replayed)}) r`,
    values: [],
  });
  if (sums?.areEqual) return { rows: sums.rows, counted: 0, differences: [] };
  const digests = (compared: ComparedRows): string =>
    `SELECT key, node, digest FROM (${canonicalRows(compared)}) AS rows`;
  const wanted = (compared: ComparedRows): string =>
    `SELECT DISTINCT ON (key, digest) key, digest, row FROM (${canonicalRows(compared)}) AS rows
               WHERE key IN (SELECT key FROM first)`;
  const [summary] = await session.query<{ rows: number; counted: number; named: string | null }>({
    text: `WITH live AS (${digests(live)}), replayed AS (${digests(replayed)}),
             gone AS (SELECT * FROM live EXCEPT ALL SELECT * FROM replayed),
             extra AS (SELECT * FROM replayed EXCEPT ALL SELECT * FROM live),
             paired AS (
               SELECT coalesce(gone.key, extra.key) AS key, coalesce(gone.node, extra.node) AS node,
                 gone.digest AS live, extra.digest AS replayed
               FROM gone FULL JOIN extra ON gone.key = extra.key
             ),
             first AS (SELECT * FROM paired ORDER BY key LIMIT $1),
             named AS (
               SELECT coalesce(l.certname, r.certname) AS certname, a.row AS live, b.row AS replayed
               FROM first p
               LEFT JOIN (${wanted(live)}) a ON a.key = p.key AND a.digest = p.live
               LEFT JOIN (${wanted(replayed)}) b ON b.key = p.key AND b.digest = p.replayed
               LEFT JOIN ${live.schema}.nodes l ON l.node = p.node LEFT JOIN ${replayed.schema}.nodes r ON r.node = p.node
               ORDER BY 1, p.key
             )
           SELECT (SELECT count(*) FROM replayed) AS rows, (SELECT count(*) FROM paired) AS counted,
             (SELECT json_agg(n)::text FROM named n) AS named`,
    values: [Math.max(0, limit)],
  });
  const { rows = 0, counted = 0, named = null } = summary ?? {};
  const found = JSON.parse(named ?? '[]') as Row[];
  return { rows, counted, differences: found.map((row) => ({ table: live.table.name, ...row })) };
}
