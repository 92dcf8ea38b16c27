import { arrayLiteral, type Session } from '#database';
import { key64 } from '#projections';
import type { ChangeKind } from '../filter/change-filter';
import type { ChangeRow } from './change';

/** The offsets of a partition from which rows are read. `from` is inclusive, and `to` is exclusive. */
interface Extent {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

interface ChangeRows {
  readonly rows: readonly ChangeRow[];
  /** For each extent, the offset of the first record that was not read. */
  readonly reached: readonly number[];
}

interface StoredRow {
  readonly partition: number;
  readonly offset: number;
  readonly kind: ChangeKind;
  readonly node: string | null;
  readonly certname: string | null;
  readonly uuid: string;
  readonly receivedMs: number;
  readonly environment: string | null;
}

/** Reads about `limit` rows, but always all rows of a record. */
export async function readChangeRows(
  session: Pick<Session, 'query'>,
  schema: string,
  extents: readonly Extent[],
  limit: number,
): Promise<ChangeRows> {
  const most = Math.max(1, Math.floor(limit / extents.length));
  const first = (columns: string, table: string, joined: string): string =>
    `SELECT ${columns} FROM requested a CROSS JOIN LATERAL (
       SELECT * FROM ${schema}.${table} r WHERE r.log_partition = a.log_partition AND r.log_offset >= a.since AND r.log_offset < a.until
       ORDER BY r.log_offset FETCH FIRST ($4::int) ROWS WITH TIES) r ${joined}`;
  const received = 'extract(epoch FROM r.received_at)::float8 * 1000';
  const found = await session.query<StoredRow>({
    text: `WITH requested AS (SELECT * FROM unnest($1::int[], $2::bigint[], $3::bigint[]) AS a(log_partition, since, until))
      ${first(
        `r.log_partition AS partition, r.log_offset AS "offset", r.kind, r.node::text AS node, n.certname, r.uuid, ${received} AS "receivedMs", e.name AS environment`,
        'timeline',
        `LEFT JOIN ${schema}.environments e ON e.environment = r.environment LEFT JOIN ${schema}.nodes n ON n.node = r.node`,
      )}
      UNION ALL
      ${first(
        `r.log_partition, r.log_offset, 'node.deleted', NULL, r.certname, r.uuid, ${received}, NULL`,
        'deleted_nodes',
        '',
      )}`,
    values: [
      arrayLiteral(extents.map(({ partition }) => partition)),
      arrayLiteral(extents.map(({ from }) => from)),
      arrayLiteral(extents.map(({ to }) => to)),
      most,
    ],
  });
  const reached = extents.map(({ partition, to }) => {
    const own = found.filter((row) => row.partition === partition);
    const lasts = [own.filter(isDeletion), own.filter((row) => !isDeletion(row))].map((rows) =>
      rows.length < most ? to : Math.max(...rows.map(({ offset }) => offset)) + 1,
    );
    return Math.min(to, ...lasts);
  });
  const ofPartition = new Map(extents.map(({ partition }, at) => [partition, reached[at] as number]));
  const rows = found.filter(({ partition, offset }) => offset < (ofPartition.get(partition) as number));
  return { rows: merged(rows).map(changeRow), reached };
}

const isDeletion = ({ kind }: StoredRow): boolean => kind === 'node.deleted';

/**
 * Sorts rows by time, but keeps the order within each partition. If a row has an earlier time than a preceding row of
 * its partition, it is sorted by the time of that preceding row.
 */
function merged(rows: readonly StoredRow[]): readonly StoredRow[] {
  const latest = new Map<number, number>();
  const timed = [...rows]
    .sort((one, other) => one.partition - other.partition || one.offset - other.offset)
    .map((row) => {
      const time = Math.max(row.receivedMs, latest.get(row.partition) ?? -Infinity);
      latest.set(row.partition, time);
      return { row, time };
    });
  return timed.sort((one, other) => one.time - other.time).map(({ row }) => row);
}

function changeRow(row: StoredRow): ChangeRow {
  const { partition, offset, kind, certname, uuid, receivedMs, environment } = row;
  return {
    ...{ kind, certname, uuid, environment },
    node: row.node ?? key64(certname as string),
    receivedAt: new Date(Math.floor(receivedMs)).toISOString(),
    position: { partition, offset },
  };
}
