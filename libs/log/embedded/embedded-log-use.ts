import { type Database, statement } from '#database';

/** Bytes that records occupy. The files of the log also have free space, which later records use. */
export interface LogUse {
  readonly bytes: number;
  /** Bytes of the tail and the sections. A snapshot that keeps a shorter tail frees some of these bytes. */
  readonly tailBytes: number;
  /** Milliseconds since 1970 when the oldest record of the tail was received. Undefined if the tail is empty. */
  readonly since: number | undefined;
}

/** Estimated bytes of a row without its payload, including its index entry. */
const rowBytes = 250;

export async function embeddedLogUse(db: Pick<Database, 'query'>): Promise<LogUse> {
  const [row] = await db.query<{ records: number; base: number; sections: number; since: number | null }>(statement`
    WITH live AS (
      SELECT c.relname AS name, greatest(c.reltuples, s.n_live_tup, 0)::float8 AS rows
      FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid
      WHERE s.schemaname = 'nodeledger' AND c.relname IN ('log_base_records', 'log_sections', 'log_pieces')
    ), of_row AS (
      SELECT 'log_base_records' AS name, avg(octet_length(payload) + coalesce(octet_length(sections), 0)) AS bytes
      FROM (SELECT payload, sections FROM nodeledger.log_base_records LIMIT 500) AS few
      UNION ALL SELECT 'log_sections', avg(octet_length(pieces)) FROM (SELECT pieces FROM nodeledger.log_sections LIMIT 500) AS few
      UNION ALL SELECT 'log_pieces', avg(octet_length(content)) FROM (SELECT content FROM nodeledger.log_pieces LIMIT 500) AS few
    ), used AS (
      SELECT name, rows * (coalesce(bytes, 0) + ${rowBytes}::int)::float8 AS bytes FROM live JOIN of_row USING (name)
    )
    SELECT (
        SELECT coalesce(sum(p.next_offset - p.tail_offset), 0) FROM nodeledger.log_partitions p
      )::float8 * coalesce((
        SELECT avg(octet_length(r.payload) + coalesce(octet_length(r.sections), 0)) + ${rowBytes}::int
        FROM nodeledger.log_partitions p CROSS JOIN LATERAL (
          SELECT payload, sections FROM nodeledger.log_records
          WHERE log_partition = p.log_partition AND log_offset >= greatest(p.tail_offset, p.next_offset - 50)
        ) AS r), 0)::float8 AS records,
      (SELECT coalesce(sum(bytes), 0) FROM used WHERE name = 'log_base_records')::float8 AS base,
      (SELECT coalesce(sum(bytes), 0) FROM used WHERE name <> 'log_base_records')::float8 AS sections,
      (SELECT min(r.received_at)::float8 FROM nodeledger.log_partitions p JOIN nodeledger.log_records r
       ON r.log_partition = p.log_partition AND r.log_offset = p.tail_offset) AS since`);
  const { records, base, sections, since } = row!;
  const tailBytes = records + sections;
  return { bytes: tailBytes + base, tailBytes, since: since ?? undefined };
}
