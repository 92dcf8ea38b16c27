import { arrayLiteral, statement, type Sql } from '#database';
import type { LogRecord } from '../record';
import { bytesText, joined } from './bytea-list';
import type { StoredRecord } from './row-columns';

/** The payload of a notification is the id of the instance that appended the records. */
export const appendedChannel = 'nodeledger_appended';

export interface PartitionRow {
  partition: number;
  log_id: string;
  next_offset: number;
  epoch: number;
  tail_offset: number;
  base: number;
}

export const partitionRows: Sql = {
  name: 'log-partitions',
  text: `SELECT log_partition AS partition, log_id::text AS log_id, next_offset, tail_offset, base, epoch
         FROM nodeledger.log_partitions ORDER BY log_partition`,
  values: [],
};

export const openingLock: Sql = statement`SELECT pg_advisory_xact_lock(hashtextextended('nodeledger embedded log', 0))`;

/** A new log begins with epoch 1 again. */
export const forgetEpochs: Sql = statement`DELETE FROM nodeledger.log_epochs`;

export const makePartitions = (logId: string, partitions: number, header: Buffer): Sql => statement`
  WITH made AS (
    INSERT INTO nodeledger.log_partitions (log_partition, log_id, next_offset)
    SELECT p, ${logId}::uuid, 1 FROM generate_series(0, ${partitions}::int - 1) AS p
    RETURNING log_partition
  )
  INSERT INTO nodeledger.log_records
    (log_partition, log_offset, uuid, command, version, certname, received_at, encoding, headers, payload)
  SELECT log_partition, 0, ${logId}::uuid, 'log header', 1, '', ${Date.now()}::bigint, 'identity', '{}', ${header}
  FROM made`;

export const headerRows: Sql = statement`
  SELECT log_partition AS partition, payload FROM nodeledger.log_records
  WHERE log_offset = 0 AND command = 'log header' ORDER BY log_partition`;

export const nextBase: Sql = statement`SELECT nextval('nodeledger.log_base_numbers')::int AS base`;

export const countOfBase = (base: number): Sql => statement`
  SELECT count(*) AS records FROM nodeledger.log_base_records WHERE base = ${base}`;

export const insertBaseRecords = (base: number, records: readonly StoredRecord<LogRecord>[]): Sql => ({
  name: 'log-base-insert',
  text: `INSERT INTO nodeledger.log_base_records (base, ${recordColumns}) SELECT $16::int, ${recordValues}`,
  values: [...valuesOf(records), base],
});

export const insertTailRecords = (records: readonly StoredRecord<LogRecord>[]): Sql => ({
  name: 'log-tail-insert',
  text: `INSERT INTO nodeledger.log_records (${recordColumns}) SELECT ${recordValues}`,
  values: valuesOf(records),
});

export const recordColumns =
  'log_partition, log_offset, uuid, command, version, certname, received_at, encoding, headers, plain_bytes, epoch, sections, payload';

const recordValues = `r.log_partition, r.log_offset, r.uuid, r.command, r.version, r.certname, r.received_at, r.encoding,
    r.headers, r.plain_bytes, r.epoch, r.sections, substring($1::bytea FROM r.start FOR r.length)
  FROM unnest($2::int[], $3::bigint[], $4::int[], $5::int[], $6::uuid[], $7::text[], $8::int[], $9::text[], $10::bigint[],
              $11::text[], $12::text[], $13::int[], $14::int[], $15::bytea[])
    AS r(log_partition, log_offset, start, length, uuid, command, version, certname, received_at, encoding, headers,
         plain_bytes, epoch, sections)`;

function valuesOf(records: readonly StoredRecord<LogRecord>[]): unknown[] {
  const payloads = joined(records.map(({ payload }) => payload));
  const of = (value: (record: StoredRecord<LogRecord>) => string | number | null): string =>
    arrayLiteral(records.map(value));
  return [
    payloads.bytes,
    of(({ partition }) => partition),
    of(({ offset }) => offset),
    payloads.starts,
    payloads.lengths,
    of(({ uuid }) => uuid),
    of(({ command }) => command),
    of(({ version }) => version),
    of(({ certname }) => certname),
    of(({ receivedAt }) => receivedAt),
    of(({ encoding }) => encoding),
    of(({ headers }) => JSON.stringify(headers ?? {})),
    of(({ plainBytes }) => plainBytes ?? null),
    of(({ epoch }) => epoch ?? null),
    of(({ sections }) => bytesText(sections)),
  ];
}

export const placePartitions = (
  base: number,
  tails: ReadonlyMap<number, number>,
  ends: ReadonlyMap<number, number>,
): Sql => statement`
  UPDATE nodeledger.log_partitions p SET base = ${base}, tail_offset = t.tail_offset, next_offset = t.next_offset
  FROM unnest(${arrayLiteral([...tails.keys()])}::int[], ${arrayLiteral([...tails.values()])}::bigint[],
    ${arrayLiteral([...tails.keys()].map((partition) => ends.get(partition) as number))}::bigint[])
    AS t(log_partition, tail_offset, next_offset)
  WHERE p.log_partition = t.log_partition`;

/** While the rows are locked, no append and no other base can commit. */
export const lockedPartitionRows: Sql = { text: `${partitionRows.text} FOR UPDATE`, values: [] };

export const makeBaseCurrent = (base: number, tails: ReadonlyMap<number, number>): Sql => statement`
  UPDATE nodeledger.log_partitions p SET base = ${base}, tail_offset = t.tail_offset
  FROM unnest(${arrayLiteral([...tails.keys()])}::int[], ${arrayLiteral([...tails.values()])}::bigint[])
    AS t(log_partition, tail_offset)
  WHERE p.log_partition = t.log_partition`;

/** Deletes records before the tail, but not the headers. */
export const removeTail = (most: number): Sql => statement`
  DELETE FROM nodeledger.log_records r USING (
    SELECT r.log_partition, r.log_offset FROM nodeledger.log_partitions p
    CROSS JOIN LATERAL (
      SELECT log_partition, log_offset FROM nodeledger.log_records
      WHERE log_partition = p.log_partition AND log_offset >= 1 AND log_offset < p.tail_offset
      ORDER BY log_offset LIMIT ${most}
    ) AS r
    LIMIT ${most}
  ) AS gone
  WHERE r.log_partition = gone.log_partition AND r.log_offset = gone.log_offset RETURNING 1`;

export const removeBases = (most: number): Sql => statement`
  DELETE FROM nodeledger.log_base_records r USING (
    SELECT base, log_partition, log_offset FROM nodeledger.log_base_records
    WHERE base <> (SELECT max(base) FROM nodeledger.log_partitions)
    ORDER BY base, log_partition, log_offset LIMIT ${most}
  ) AS gone
  WHERE r.base = gone.base AND r.log_partition = gone.log_partition AND r.log_offset = gone.log_offset RETURNING 1`;

export const removeBase = (base: number): Sql => statement`
  DELETE FROM nodeledger.log_base_records WHERE base = ${base}
  AND NOT EXISTS (SELECT FROM nodeledger.log_partitions WHERE base = ${base})`;
