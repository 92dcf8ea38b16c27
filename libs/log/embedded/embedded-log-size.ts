import { type Database, statement } from '#database';
import { searchByTime } from './read-statements';

export interface LogSize {
  /** Bytes on disk of records, sections and indexes, including free space after deletions. */
  readonly bytes: number;
  readonly sectionBytes: number;
  /** Milliseconds since 1970. Undefined if the tail is empty. */
  readonly since: number | undefined;
  readonly recordBytes: number;
  /** Growth over the last 24 hours, or since the log began. Undefined if the log began less than an hour ago. */
  readonly bytesPerDay: number | undefined;
}

interface SizeRow {
  bytes: number;
  tail_bytes: number;
  section_bytes: number;
  since: number | null;
  records: number;
  recent: number;
  period_ms: number;
}

const dayMs = 86_400_000;
const leastPeriodMs = 3_600_000;

export async function embeddedLogSize(db: Pick<Database, 'query'>, now = Date.now()): Promise<LogSize> {
  const [row] = await db.query<SizeRow>(statement`
    WITH RECURSIVE period AS (
      SELECT greatest(received_at, ${now - dayMs}::bigint) AS start FROM nodeledger.log_records
      WHERE log_partition = 0 AND log_offset = 0
    ), ${searchByTime(statement`SELECT start FROM period`)}
    SELECT tail_bytes, section_bytes, records, recent, period_ms, since,
           tail_bytes + section_bytes + pg_total_relation_size('nodeledger.log_base_records')::float8 AS bytes
    FROM (
      SELECT pg_total_relation_size('nodeledger.log_records')::float8 AS tail_bytes,
             (pg_total_relation_size('nodeledger.log_sections')
              + pg_total_relation_size('nodeledger.log_pieces'))::float8 AS section_bytes,
             (SELECT min(r.received_at)::float8 FROM nodeledger.log_partitions t JOIN nodeledger.log_records r
              ON r.log_partition = t.log_partition AND r.log_offset = t.tail_offset) AS since,
             coalesce(sum(p.next_offset - p.tail_offset), 0)::float8 AS records,
             coalesce(sum(p.next_offset - s.low), 0)::float8 AS recent,
             ${now}::float8 - (SELECT start FROM period) AS period_ms
      FROM nodeledger.log_partitions p LEFT JOIN search s ON s.log_partition = p.log_partition AND s.low = s.high
    ) f`);
  if (row === undefined) return { bytes: 0, sectionBytes: 0, since: undefined, recordBytes: 0, bytesPerDay: undefined };
  const { bytes, tail_bytes, section_bytes, records, recent, period_ms, since } = row;
  const recordBytes = records === 0 ? 0 : (tail_bytes + section_bytes) / records;
  const bytesPerDay = period_ms < leastPeriodMs ? undefined : (recordBytes * recent * dayMs) / period_ms;
  return { bytes, sectionBytes: section_bytes, since: since ?? undefined, recordBytes, bytesPerDay };
}
