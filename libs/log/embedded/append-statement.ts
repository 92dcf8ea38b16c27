import { arrayLiteral, type Sql } from '#database';
import { bytesText, hashTexts, joined } from './bytea-list';
import type { StoredSections } from './pieces/stored-sections';
import type { StoredRecord } from './row-columns';
import { appendedChannel } from './statements';

export interface StoredAppend {
  readonly partition: number;
  readonly record: StoredRecord;
}

/**
 * The statement locks the rows of the partitions until the commit. So appends commit in the order of their offsets, and
 * no reader can skip an append that is not committed yet. Returns the first offset of each partition. Does not store an
 * append if its partition belongs to another log.
 */
export function appendBatch(
  batch: readonly StoredAppend[],
  logId: string,
  instance: string,
  beside?: StoredSections,
): Sql {
  const counts = new Map<number, number>();
  const indexes = batch.map(({ partition }) => {
    const index = counts.get(partition) ?? 0;
    counts.set(partition, index + 1);
    return index;
  });
  const payloads = joined(batch.map(({ record }) => record.payload));
  const of = (value: (append: StoredAppend) => string | number | null): string => arrayLiteral(batch.map(value));
  const values = [
    arrayLiteral([...counts.keys()]),
    arrayLiteral([...counts.values()]),
    logId,
    of(({ partition }) => partition),
    arrayLiteral(indexes),
    payloads.starts,
    payloads.lengths,
    of(({ record }) => record.uuid),
    of(({ record }) => record.command),
    of(({ record }) => record.version),
    of(({ record }) => record.certname),
    of(({ record }) => record.receivedAt),
    of(({ record }) => record.encoding),
    of(({ record }) => JSON.stringify(record.headers ?? {})),
    of(({ record }) => record.plainBytes ?? null),
    instance,
  ];
  // The payload is the last parameter. pg makes its write buffer as large as the payload, and would copy the whole
  // buffer again for a later parameter.
  if (beside === undefined) return { name: 'log-append', text: appendText(), values: [...values, payloads.bytes] };
  const sections = joined(beside.sections.map(({ pieces }) => pieces));
  const pieces = joined(beside.pieces.map(({ content }) => content));
  return {
    name: 'log-append-parts',
    text: appendText(appendParts),
    values: [
      ...values,
      beside.epoch,
      of(({ record }) => bytesText(record.sections)),
      beside.assumedSections,
      beside.assumedPieces,
      hashTexts(beside.sections),
      sections.starts,
      sections.lengths,
      sections.bytes,
      hashTexts(beside.pieces),
      pieces.starts,
      pieces.lengths,
      pieces.bytes,
      payloads.bytes,
    ],
  };
}

interface AppendParts {
  readonly sectionColumns: string;
  readonly sectionValues: string;
  readonly sectionArray: string;
  readonly isLocked: string;
  readonly isAllowed: string;
  readonly beside: string;
  readonly payload: string;
}

const appendWhole: AppendParts = {
  sectionColumns: '',
  sectionValues: '',
  sectionArray: 'array[]::bytea[]',
  isLocked: '',
  isAllowed: '',
  beside: '',
  payload: '$17',
};

const isMissing = (table: string, hashes: string): string => `EXISTS (
  SELECT FROM generate_series(0, octet_length(${hashes}::bytea) / 32 - 1) AS number WHERE NOT EXISTS (
    SELECT FROM nodeledger.${table} k WHERE k.epoch = $17::int AND k.hash = substring(${hashes}::bytea FROM 32 * number + 1 FOR 32)))`;

/**
 * Stores nothing if the partitions are no longer in the epoch of the batch, or if the batch refers to a section or
 * piece that is not stored. Locks partitions first, and inserts sections and pieces in the order of their hashes, so
 * that appends cannot deadlock.
 */
const appendParts: AppendParts = {
  sectionColumns: ', epoch, sections',
  sectionValues: ', CASE WHEN r.sections IS NOT NULL THEN $17::int END, r.sections',
  sectionArray: '$18::bytea[]',
  isLocked: 'AND p.epoch = $17::int',
  isAllowed: `AND (SELECT count(*) FROM locked) = (SELECT count(*) FROM wanted)
             AND NOT ${isMissing('log_sections', '$19')} AND NOT ${isMissing('log_pieces', '$20')}`,
  beside: `, kept_sections AS (
             INSERT INTO nodeledger.log_sections (epoch, hash, pieces)
             SELECT $17::int, s.hash, substring($24::bytea FROM s.start FOR s.length)
             FROM unnest($21::bytea[], $22::int[], $23::int[]) AS s(hash, start, length)
             WHERE (SELECT count(*) FROM taken) > 0 ORDER BY s.hash ON CONFLICT DO NOTHING
           ), kept_pieces AS (
             INSERT INTO nodeledger.log_pieces (epoch, hash, content)
             SELECT $17::int, s.hash, substring($28::bytea FROM s.start FOR s.length)
             FROM unnest($25::bytea[], $26::int[], $27::int[]) AS s(hash, start, length)
             WHERE (SELECT count(*) FROM taken) > 0 ORDER BY s.hash ON CONFLICT DO NOTHING
           )`,
  payload: '$29',
};

const appendText = (parts = appendWhole): string => `
           WITH wanted AS (
             SELECT * FROM unnest($1::int[], $2::int[]) AS w(log_partition, records)
           ), locked AS (
             SELECT p.log_partition FROM nodeledger.log_partitions p JOIN wanted USING (log_partition)
             WHERE p.log_id = $3::uuid ${parts.isLocked} ORDER BY p.log_partition FOR UPDATE OF p
           ), taken AS (
             UPDATE nodeledger.log_partitions p SET next_offset = p.next_offset + w.records
             FROM wanted w JOIN locked USING (log_partition) WHERE p.log_partition = w.log_partition ${parts.isAllowed}
             RETURNING p.log_partition, p.next_offset - w.records AS first_offset
           ), stored AS (
             INSERT INTO nodeledger.log_records
               (log_partition, log_offset, uuid, command, version, certname, received_at, encoding, headers, plain_bytes,
                payload${parts.sectionColumns})
             SELECT t.log_partition, t.first_offset + r.index, r.uuid, r.command, r.version, r.certname, r.received_at,
               r.encoding, r.headers, r.plain_bytes, substring(${parts.payload}::bytea FROM r.start FOR r.length)${parts.sectionValues}
             FROM unnest($4::int[], $5::int[], $6::int[], $7::int[], $8::uuid[], $9::text[], $10::int[], $11::text[],
                         $12::bigint[], $13::text[], $14::text[], $15::int[], ${parts.sectionArray})
               AS r(log_partition, index, start, length, uuid, command, version, certname, received_at, encoding, headers,
                    plain_bytes, sections)
             JOIN taken t USING (log_partition)
           )${parts.beside}
           SELECT log_partition AS partition, first_offset, pg_notify('${appendedChannel}', $16) FROM taken`;
