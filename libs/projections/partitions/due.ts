/** Finds what age limits would change, in the current tables. The projector applies them to the tables as they stand then. */
import type { Database, Generation } from '#database';
import { isRemoved } from './removed-reports';
import { partitionOfNode } from './nodes-of';
import { isInactiveSince, hasSentNothingSince, longestInactiveFirst } from './silent-nodes';

/** Cut-offs, as ISO text; what is undefined is not looked for. */
export interface AgeCutoffs {
  readonly expireBefore?: string | undefined;
  readonly purge?: { readonly before: string; readonly most: number | undefined } | undefined;
  readonly reportsBefore?: string | undefined;
  readonly eventsBefore?: string | undefined;
}

/** What is due in one partition. */
export interface DueChanges {
  /** Nodes. */
  readonly expire: number;
  /** Nodes. */
  readonly purge: number;
  /** Whether there are any. */
  readonly reports: boolean;
  readonly events: boolean;
}

/** By partition, those where something would change. */
export async function findDue(
  db: Database,
  { schema }: Generation,
  partitions: number,
  { expireBefore, purge, reportsBefore, eventsBefore }: AgeCutoffs,
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
  // One look into each partition: it ends at the first report that is found.
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
  const due = new Map<number, DueChanges>();
  for (let partition = 0; partition < partitions; partition++) {
    const found = {
      expire: expiring.get(partition) ?? 0,
      purge: purged.get(partition) ?? 0,
      reports: reports.has(partition),
      events: events.has(partition),
    };
    if (found.expire + found.purge > 0 || found.reports || found.events) due.set(partition, found);
  }
  return due;
}
