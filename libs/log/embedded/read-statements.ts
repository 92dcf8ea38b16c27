/** Numbers in the text of these statements come from the log. Values from clients are bound as parameters. */
import { arrayLiteral, statement, type Sql } from '#database';
import type { ReadLimits } from '../command-log';
import type { LogRecord, Position } from '../record';
import type { StoredRecord } from './row-columns';
import { recordColumns } from './statements';

/** Columns in the order in which `recordOf` reads them. */
const copiedColumns = `log_partition, log_offset, received_at, version, uuid, command, certname, encoding, headers, payload,
      coalesce(plain_bytes, 0), coalesce(epoch, 0), coalesce(sections, '')`;

/**
 * Bytes that count towards the read limits: the whole payload, or only the row if the reader takes the record in parts.
 */
const bytesOf = (inParts: readonly string[]): string =>
  `CASE WHEN sections IS NOT NULL AND command = ANY ('{${inParts.map(commandName).join()}}')
     THEN octet_length(payload) ELSE coalesce(plain_bytes, octet_length(payload)) END`;

function commandName(command: string): string {
  if (!/^[a-z ]+$/.test(command)) throw new RangeError(`${command} is no name of a command`);
  return `"${command}"`;
}

/**
 * Takes one record of each partition in turn until a limit is reached. Does not read a payload that exceeds the limits.
 * `next` has the offset at which to start in each partition.
 */
export function copyRecords(
  next: ReadonlyMap<number, number>,
  limits: ReadLimits,
  inParts: readonly string[] = [],
): string {
  const wanted = [...next].map((pair) => `(${pair.map(whole).join(', ')}::bigint)`).join(', ');
  const ofEach = Math.min(limits.maxRecords, 2 * Math.ceil(limits.maxRecords / next.size));
  return `COPY (
    SELECT ${copiedColumns}
    FROM (
      SELECT *, sum(${bytesOf(inParts)}) OVER turns AS bytes, row_number() OVER turns AS records
      FROM (VALUES ${wanted}) AS w(wanted_partition, wanted_offset)
      CROSS JOIN LATERAL (
        SELECT *, row_number() OVER (ORDER BY log_offset) AS ordinal FROM nodeledger.log_records
        WHERE log_partition = w.wanted_partition AND log_offset >= w.wanted_offset
        ORDER BY log_offset LIMIT ${whole(ofEach)}
      ) AS r
      WINDOW turns AS (ORDER BY ordinal, log_partition)
    ) AS measured
    WHERE records = 1 OR (records <= ${whole(limits.maxRecords)} AND bytes <= ${whole(limits.maxBytes)})
    ORDER BY log_partition, log_offset
  ) TO STDOUT (FORMAT binary)`;
}

function whole(number: number): string {
  if (!Number.isSafeInteger(number)) throw new RangeError(`${number} is not a whole number`);
  return String(number);
}

/**
 * The last column of a row is the offset of the next record of the same partition. After the last record in the base,
 * this is the first record of the tail.
 */
export function copyBaseRecords(
  base: number,
  tails: ReadonlyMap<number, number>,
  next: ReadonlyMap<number, number>,
  limits: ReadLimits,
  inParts: readonly string[] = [],
): string {
  const wanted = [...next].map(
    ([partition, offset]) =>
      `(${whole(partition)}, ${whole(offset)}::bigint, ${whole(tails.get(partition) as number)}::bigint)`,
  );
  const ofEach = Math.min(limits.maxRecords, 2 * Math.ceil(limits.maxRecords / next.size));
  return `COPY (
    SELECT ${copiedColumns}, coalesce(following, tail_offset) AS following
    FROM (
      SELECT *, sum(${bytesOf(inParts)}) OVER turns AS bytes, row_number() OVER turns AS records
      FROM (VALUES ${wanted.join(', ')}) AS w(wanted_partition, wanted_offset, tail_offset)
      CROSS JOIN LATERAL (
        SELECT *, row_number() OVER in_order AS ordinal, lead(log_offset) OVER in_order AS following FROM (
          SELECT * FROM nodeledger.log_base_records
          WHERE base = ${whole(base)} AND log_partition = w.wanted_partition AND log_offset >= w.wanted_offset
          ORDER BY log_offset LIMIT ${whole(ofEach + 1)}
        ) AS few
        WINDOW in_order AS (ORDER BY log_offset)
      ) AS r
      WHERE ordinal <= ${whole(ofEach)}
      WINDOW turns AS (ORDER BY ordinal, log_partition)
    ) AS measured
    WHERE records = 1 OR (records <= ${whole(limits.maxRecords)} AND bytes <= ${whole(limits.maxBytes)})
    ORDER BY log_partition, log_offset
  ) TO STDOUT (FORMAT binary)`;
}

/**
 * Copies the records in the order of `positions`. Stops before the payloads exceed `maxBytes`, but copies at least one
 * record.
 */
export function copyRecordsAt(
  { base, tails }: { readonly base: number; readonly tails: ReadonlyMap<number, number> },
  positions: readonly Position[],
  maxBytes: number,
): string {
  const wanted = positions.map(
    ({ partition, offset }, index) =>
      `(${index}, ${whole(partition)}, ${whole(offset)}::bigint, ${offset < (tails.get(partition) ?? 1)})`,
  );
  return `COPY (
    SELECT ${copiedColumns} FROM (
      SELECT *, sum(${bytesOf([])}) OVER (ORDER BY index) AS bytes
      FROM (VALUES ${wanted.join(', ')}) AS w(index, wanted_partition, wanted_offset, is_below)
      CROSS JOIN LATERAL (
        SELECT ${recordColumns} FROM nodeledger.log_records
        WHERE NOT w.is_below AND log_partition = w.wanted_partition AND log_offset = w.wanted_offset
        UNION ALL
        SELECT ${recordColumns} FROM nodeledger.log_base_records
        WHERE w.is_below AND base = ${whole(base)} AND log_partition = w.wanted_partition AND log_offset = w.wanted_offset
      ) AS r
    ) AS measured
    WHERE index = 0 OR bytes <= ${whole(maxBytes)}
    ORDER BY index
  ) TO STDOUT (FORMAT binary)`;
}

/** Returns one row without columns if the log has a record at the position. */
export const recordAt = (
  { base, tails }: { readonly base: number; readonly tails: ReadonlyMap<number, number> },
  { partition, offset }: Position,
): Sql =>
  offset < (tails.get(partition) ?? 1)
    ? statement`SELECT FROM nodeledger.log_base_records
        WHERE base = ${base} AND log_partition = ${partition} AND log_offset = ${offset}::bigint`
    : statement`SELECT FROM nodeledger.log_records WHERE log_partition = ${partition} AND log_offset = ${offset}::bigint`;

export const knownToBase = (base: number, offsets: ReadonlyMap<number, number>): Sql => statement`
  SELECT b.log_partition AS partition FROM unnest(${arrayLiteral([...offsets.keys()])}::int[],
    ${arrayLiteral([...offsets.values()])}::bigint[]) AS w(log_partition, log_offset)
  JOIN nodeledger.log_base_records b USING (log_partition, log_offset) WHERE b.base = ${base}`;

export const firstOfBase = (base: number): Sql => statement`
  SELECT p.log_partition AS partition, (
    SELECT min(b.log_offset) FROM nodeledger.log_base_records b
    WHERE b.base = ${base} AND b.log_partition = p.log_partition) AS first
  FROM nodeledger.log_partitions p`;

/**
 * A binary search in the tail of each partition for the first record that was received at or after `time`. The search
 * of a partition ends with a row in which `low` equals `high`. This value is the offset of the record, or the end of
 * the partition if there is no such record. The result is an estimate, because the records of a partition are not
 * always in the order of their times.
 */
export const searchByTime = (time: Sql): Sql => statement`
  search (log_partition, low, high) AS (
    SELECT log_partition, tail_offset, next_offset FROM nodeledger.log_partitions
    UNION ALL
    SELECT s.log_partition,
           CASE WHEN r.is_before THEN r.log_offset + 1 ELSE s.low END,
           CASE WHEN r.is_before THEN s.high ELSE r.log_offset END
    FROM search s CROSS JOIN LATERAL (
      SELECT log_offset, received_at < (${time}) AS is_before FROM nodeledger.log_records
      WHERE log_partition = s.log_partition AND log_offset = (s.low + s.high) / 2 LIMIT 1
    ) r
    WHERE s.low < s.high
  )`;

/**
 * Reads the whole tail, because the records are not always in the order of their times: the clocks of the servers that
 * received the records can differ.
 */
export const offsetsAppendedSince = (time: number): Sql => statement`
  SELECT p.log_partition AS partition, coalesce((
    SELECT min(r.log_offset) FROM nodeledger.log_records r
    WHERE r.log_partition = p.log_partition AND r.log_offset >= p.tail_offset AND r.received_at >= ${time}::bigint
  ), p.next_offset) AS "offset"
  FROM nodeledger.log_partitions p ORDER BY 1`;

type Fields = [
  ...[Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer],
  ...[Buffer, Buffer, Buffer, Buffer, Buffer, Buffer],
];

export function recordOf(fields: readonly Buffer[]): StoredRecord<LogRecord> {
  const [
    partition,
    offset,
    receivedAt,
    version,
    uuid,
    command,
    certname,
    encoding,
    headers,
    payload,
    plain,
    epoch,
    sections,
  ] = fields as Fields;
  const headerText = headers.toString('utf8');
  const plainBytes = plain.readInt32BE();
  const following = fields[13];
  return {
    ...(plainBytes !== 0 && { plainBytes }),
    ...(sections.length > 0 && { epoch: epoch.readInt32BE(), sections }),
    ...(following !== undefined && { next: Number(following.readBigInt64BE()) }),
    partition: partition.readInt32BE(),
    offset: Number(offset.readBigInt64BE()),
    receivedAt: Number(receivedAt.readBigInt64BE()),
    version: version.readInt32BE(),
    uuid: uuid.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    command: command.toString('utf8'),
    certname: certname.toString('utf8'),
    encoding: encoding.toString('utf8') as LogRecord['encoding'],
    ...(headerText !== '{}' && { headers: JSON.parse(headerText) as Record<string, string> }),
    payload,
  };
}
