/**
 * Finds the nodes that maintenance would change, in the current tables. The projector checks each condition again when it
 * applies the record. Times are ISO text.
 */
import type { Database, Generation } from '#database';

/** Certnames of active nodes that have sent nothing since `cutoff`, unless their facts are set never to expire. */
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

/** Certnames of at most `limit` nodes that were deactivated or expired before `cutoff`, the oldest first. */
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
