/**
 * Finds the changes that age limits would make in the current tables. The tables can change before the projector
 * applies the age limits.
 */
import type { Database, Generation } from '#database';
import { isRemoved } from './removed-reports';
import { partitionOfNode } from './nodes-of';
import { isInactiveSince, hasSentNothingSince, longestInactiveFirst } from './silent-nodes';

/** Cutoffs in ISO 8601. Documents without a cutoff are not searched. */
export interface AgeCutoffs {
  readonly expireBefore?: string | undefined;
  readonly purge?: { readonly before: string; readonly most: number | undefined } | undefined;
  readonly reportsBefore?: string | undefined;
  readonly eventsBefore?: string | undefined;
  readonly historyBefore?: string | undefined;
  /** Age limits also delete the names of nodes that were deleted before this time. */
  readonly deletionsBefore?: string | undefined;
}

export interface DueChanges {
  readonly expire: number;
  readonly purge: number;
  readonly reports: boolean;
  readonly events: boolean;
  readonly history: boolean;
  readonly deletions: boolean;
}

export async function findDue(
  db: Database,
  { schema }: Generation,
  partitions: number,
  { expireBefore, purge, reportsBefore, eventsBefore, historyBefore, deletionsBefore }: AgeCutoffs,
): Promise<Map<number, DueChanges>> {
  const part = partitionOfNode('n.node', '$1::int');
  const count = async (text: string, ...values: unknown[]): Promise<Map<number, number>> => {
    const rows = await db.query<{ partition: number; count: number }>({ text, values: [partitions, ...values] });
    return new Map(rows.map((row) => [Number(row.partition), Number(row.count)]));
  };
  const none = new Map<number, number>();
  const expiring =
    expireBefore === undefined
      ? none
      : await count(
          `SELECT ${part} AS partition, count(*) FROM ${schema}.nodes n WHERE ${hasSentNothingSince('$2')} GROUP BY 1`,
          expireBefore,
        );
  const purged =
    purge === undefined
      ? none
      : await count(
          `SELECT partition, count(*) FROM (
             SELECT ${part} AS partition FROM ${schema}.nodes n WHERE ${isInactiveSince('$2')} ORDER BY ${longestInactiveFirst} LIMIT $3) AS away
           GROUP BY 1`,
          purge.before,
          purge.most ?? null,
        );
  const some = (found: string): string =>
    `SELECT p AS partition, 1 AS count FROM generate_series(0, $1::int - 1) AS p, LATERAL (${found} LIMIT 1) AS first`;
  const reports =
    reportsBefore === undefined
      ? none
      : await count(
          some(`SELECT FROM ${schema}.reports r
                WHERE r.producer_timestamp < $2::timestamptz AND r.log_partition = p AND NOT ${isRemoved(schema)}`),
          reportsBefore,
        );
  const events =
    eventsBefore === undefined
      ? none
      : await count(
          some(`SELECT FROM ${schema}.event_counts c JOIN ${schema}.reports r ON r.report = c.report
                WHERE c.producer_timestamp < $2::timestamptz AND r.log_partition = p
                  AND NOT ${isRemoved(schema, ['r', 'e'])}`),
          eventsBefore,
        );
  const history =
    historyBefore === undefined
      ? none
      : await count(
          some(`SELECT FROM ${schema}.history_starts s
                JOIN ${schema}.history_times h ON h.log_partition = s.log_partition AND h.next_offset > s.next_offset
                WHERE s.log_partition = p AND h.at <= $2::timestamptz`),
          historyBefore,
        );
  const deletions =
    deletionsBefore === undefined
      ? none
      : await count(
          some(`SELECT FROM ${schema}.deleted_nodes d WHERE d.log_partition = p AND d.received_at < $2::timestamptz`),
          deletionsBefore,
        );
  const due = new Map<number, DueChanges>();
  for (let partition = 0; partition < partitions; partition++) {
    const found = {
      expire: expiring.get(partition) ?? 0,
      purge: purged.get(partition) ?? 0,
      reports: reports.has(partition),
      events: events.has(partition),
      history: history.has(partition),
      deletions: deletions.has(partition),
    };
    const { expire, purge: gone, ...others } = found;
    if (expire + gone > 0 || Object.values(others).includes(true)) due.set(partition, found);
  }
  return due;
}
