/**
 * Which nodes of a generation maintenance is about, as its tables stand now. What is found is a proposal: the projector
 * asks each condition once more where the record stands in the log. Times are ISO text; `cutoff` itself is not before it.
 */
import type { Database, Generation } from '#database';

/** Certnames of active nodes of which nothing was received since `cutoff`, and whose facts may expire. */
export async function nodesToExpire(db: Database, { schema }: Generation, cutoff: string): Promise<string[]> {
  return certnames(
    db,
    `SELECT certname FROM ${schema}.nodes
     WHERE deactivated IS NULL AND expired IS NULL AND expires_facts
       AND (greatest(catalog_producer_timestamp, facts_producer_timestamp, report_producer_timestamp,
                     inputs_producer_timestamp, expires_facts_updated) < $1::timestamptz) IS NOT FALSE
     ORDER BY certname`,
    [cutoff],
  );
}

/** Certnames of nodes deactivated or expired before `cutoff`, those away for longest first; at most `limit`. */
export async function nodesToPurge(
  db: Database,
  { schema }: Generation,
  cutoff: string,
  limit?: number,
): Promise<string[]> {
  return certnames(
    db,
    `SELECT certname FROM ${schema}.nodes WHERE deactivated < $1::timestamptz OR expired < $1::timestamptz
     ORDER BY least(deactivated, expired), certname LIMIT $2`,
    [cutoff, limit ?? null],
  );
}

/** Certnames of nodes with a report made before `cutoff`. */
export async function nodesWithReportsBefore(db: Database, { schema }: Generation, cutoff: string): Promise<string[]> {
  return certnames(
    db,
    `SELECT certname FROM ${schema}.nodes
     WHERE node IN (SELECT node FROM ${schema}.reports WHERE producer_timestamp < $1::timestamptz) ORDER BY certname`,
    [cutoff],
  );
}

async function certnames(db: Database, text: string, values: readonly unknown[]): Promise<string[]> {
  const rows = await db.query<{ certname: string }>({ text, values });
  return rows.map(({ certname }) => certname);
}
