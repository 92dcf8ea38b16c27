import { type Database, statement } from '#database';
import { searchByTime } from './read-statements';

export interface LogSize {
  /** Bytes on the disk: records and sections, their indexes, and room that deleted ones have left. */
  readonly bytes: number;
  /** Of these, sections and their pieces. */
  readonly sectionBytes: number;
  /** When the oldest record of the tail was received, in epoch milliseconds; undefined if the tail has none. */
  readonly since: number | undefined;
  /** Bytes on the disk for each record, with what it stored of its sections; 0 if the log has none. */
  readonly recordBytes: number;
  /** How much the log grew in the last 24 hours, or since it began. Undefined if it began less than an hour ago. */
  readonly bytesPerDay: number | undefined;
}

interface SizeRow {
  bytes: number;
  tail_bytes: number;
  section_bytes: number;
  since: number | null;
  /** Records of the tail. */
  records: number;
  /** Records since the beginning of the period. */
  recent: number;
  /** Length of the period. */
  period_ms: number;
}

const dayMs = 86_400_000;
const leastPeriodMs = 3_600_000;

/** Measures the log that is kept in PostgreSQL. Reads no more than a few rows of each partition. */
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
