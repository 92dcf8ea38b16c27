/** The SQL of the embedded log. Its numbers are the log's own; everything that a client sent is bound. */
import { arrayLiteral, statement, type Sql } from '#database';
import type { ReadLimits } from '../command-log';
import type { LogRecord, Position } from '../record';
import type { StoredSections } from './pieces/stored-sections';
import type { StoredRecord } from './row-columns';

/** NOTIFY channel of new records; the payload is the instance that appended them. */
export const appendedChannel = 'nodeledger_appended';

export interface PartitionRow {
  partition: number;
  log_id: string;
  next_offset: number;
  /** In which new records are. */
  epoch: number;
  /** Where the tail begins, and the number of the base behind it; 0: none. */
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

/** A new log begins with the first epoch. */
export const forgetEpochs: Sql = statement`DELETE FROM nodeledger.log_epochs`;

/** Makes the partitions, each with its header record at offset 0. */
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

/** An append as its row holds it. */
export interface StoredAppend {
  readonly partition: number;
  readonly record: StoredRecord;
}

/**
 * Stores a batch in one statement, which is one transaction. It takes the offsets by updating the partitions' rows, in
 * partition order: their locks are held until the commit, so commits follow offsets and no reader can see past a hole.
 * Gives the first offset of each partition; a partition that is not this log's (any more) takes nothing.
 */
export function appendBatch(
  batch: readonly StoredAppend[],
  logId: string,
  instance: string,
  beside?: StoredSections,
): Sql {
  const counts = new Map<number, number>();
  const places = batch.map(({ partition }) => {
    const place = counts.get(partition) ?? 0;
    counts.set(partition, place + 1);
    return place;
  });
  const payloads = joined(batch.map(({ record }) => record.payload));
  const of = (value: (append: StoredAppend) => string | number | null): string => arrayLiteral(batch.map(value));
  const values = [
    arrayLiteral([...counts.keys()]),
    arrayLiteral([...counts.values()]),
    logId,
    of(({ partition }) => partition),
    arrayLiteral(places),
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
  // The payload is the last parameter: pg's write buffer grows to fit it, and parameters after it would make pg copy the
  // whole buffer again.
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

/** Stores sections and pieces of an epoch for records that are inserted at their places. */
export function insertSections(beside: StoredSections): Sql {
  const sections = joined(beside.sections.map(({ pieces }) => pieces));
  const pieces = joined(beside.pieces.map(({ content }) => content));
  return {
    name: 'log-sections-insert',
    text: `WITH kept_sections AS (
             INSERT INTO nodeledger.log_sections (epoch, hash, pieces)
             SELECT $1::int, s.hash, substring($5::bytea FROM s.start FOR s.length)
             FROM unnest($2::bytea[], $3::int[], $4::int[]) AS s(hash, start, length) ON CONFLICT DO NOTHING
           )
           INSERT INTO nodeledger.log_pieces (epoch, hash, content)
           SELECT $1::int, s.hash, substring($9::bytea FROM s.start FOR s.length)
           FROM unnest($6::bytea[], $7::int[], $8::int[]) AS s(hash, start, length) ON CONFLICT DO NOTHING`,
    values: [
      beside.epoch,
      ...[hashTexts(beside.sections), sections.starts, sections.lengths, sections.bytes],
      ...[hashTexts(beside.pieces), pieces.starts, pieces.lengths, pieces.bytes],
    ],
  };
}

/** Values of one bytea parameter: where each begins in it, and its length. */
function joined(values: readonly Buffer[]): { starts: string; lengths: string; bytes: Buffer } {
  const starts: number[] = [];
  let length = 0;
  for (const value of values) {
    starts.push(length + 1);
    length += value.length;
  }
  return {
    starts: arrayLiteral(starts),
    lengths: arrayLiteral(values.map((value) => value.length)),
    bytes: Buffer.concat(values),
  };
}

const bytesText = (bytes: Buffer | undefined): string | null =>
  bytes === undefined ? null : `\\x${bytes.toString('hex')}`;
const hashTexts = (given: readonly { readonly hash: Buffer }[]): string =>
  arrayLiteral(given.map(({ hash }) => bytesText(hash)));

/** Parts of the statement that stores records, with sections beside them or without. */
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
 * Takes nothing if the partitions are in another epoch, or if something that must be stored already is not. The rows of the
 * partitions are locked before sections and pieces are inserted in the order of their hashes, so two appends cannot wait for each
 * other.
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
             SELECT t.log_partition, t.first_offset + r.place, r.uuid, r.command, r.version, r.certname, r.received_at,
               r.encoding, r.headers, r.plain_bytes, substring(${parts.payload}::bytea FROM r.start FOR r.length)${parts.sectionValues}
             FROM unnest($4::int[], $5::int[], $6::int[], $7::int[], $8::uuid[], $9::text[], $10::int[], $11::text[],
                         $12::bigint[], $13::text[], $14::text[], $15::int[], ${parts.sectionArray})
               AS r(log_partition, place, start, length, uuid, command, version, certname, received_at, encoding, headers,
                    plain_bytes, sections)
             JOIN taken t USING (log_partition)
           )${parts.beside}
           SELECT log_partition AS partition, first_offset, pg_notify('${appendedChannel}', $16) FROM taken`;

/** Columns of a row that a COPY statement gives; `recordOf` reads them. */
const copiedColumns = `log_partition, log_offset, received_at, version, uuid, command, certname, encoding, headers, payload,
      coalesce(plain_bytes, 0), coalesce(epoch, 0), coalesce(sections, '')`;

/** Length of what a reader gets, which the limits count: the payload as it came, or what the row stores of it. */
const bytesOf = (inParts: readonly string[]): string =>
  `CASE WHEN sections IS NOT NULL AND command = ANY ('{${inParts.map(commandName).join()}}')
     THEN octet_length(payload) ELSE coalesce(plain_bytes, octet_length(payload)) END`;

function commandName(command: string): string {
  if (!/^[a-z ]+$/.test(command)) throw new RangeError(`${command} is no name of a command`);
  return `"${command}"`;
}

/**
 * COPY statement that gives the next records of several partitions in binary form, taking turns between them up to the
 * limits: `next` holds the first offset wanted of each. Payloads beyond the limits are not read, only measured.
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
        SELECT *, row_number() OVER (ORDER BY log_offset) AS place FROM nodeledger.log_records
        WHERE log_partition = w.wanted_partition AND log_offset >= w.wanted_offset
        ORDER BY log_offset LIMIT ${whole(ofEach)}
      ) AS r
      WINDOW turns AS (ORDER BY place, log_partition)
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
 * As `copyRecords`, from a base; each row ends with the offset of the record that follows: in the base, else the tail's
 * begin. `next`: partition to the first offset wanted.
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
        SELECT *, row_number() OVER in_order AS place, lead(log_offset) OVER in_order AS following FROM (
          SELECT * FROM nodeledger.log_base_records
          WHERE base = ${whole(base)} AND log_partition = w.wanted_partition AND log_offset >= w.wanted_offset
          ORDER BY log_offset LIMIT ${whole(ofEach + 1)}
        ) AS few
        WINDOW in_order AS (ORDER BY log_offset)
      ) AS r
      WHERE place <= ${whole(ofEach)}
      WINDOW turns AS (ORDER BY place, log_partition)
    ) AS measured
    WHERE records = 1 OR (records <= ${whole(limits.maxRecords)} AND bytes <= ${whole(limits.maxBytes)})
    ORDER BY log_partition, log_offset
  ) TO STDOUT (FORMAT binary)`;
}

/**
 * Gives the records at some places in binary form, in their order, up to `maxBytes` of payload. Each is looked for in the
 * tail and, below it, in the base.
 */
export function copyRecordsAt(
  { base, tails }: { readonly base: number; readonly tails: ReadonlyMap<number, number> },
  positions: readonly Position[],
  maxBytes: number,
): string {
  const wanted = positions.map(
    ({ partition, offset }, place) =>
      `(${place}, ${whole(partition)}, ${whole(offset)}::bigint, ${offset < (tails.get(partition) ?? 1)})`,
  );
  return `COPY (
    SELECT ${copiedColumns} FROM (
      SELECT *, sum(${bytesOf([])}) OVER (ORDER BY place) AS bytes
      FROM (VALUES ${wanted.join(', ')}) AS w(place, wanted_partition, wanted_offset, is_below)
      CROSS JOIN LATERAL (
        SELECT ${recordColumns} FROM nodeledger.log_records
        WHERE NOT w.is_below AND log_partition = w.wanted_partition AND log_offset = w.wanted_offset
        UNION ALL
        SELECT ${recordColumns} FROM nodeledger.log_base_records
        WHERE w.is_below AND base = ${whole(base)} AND log_partition = w.wanted_partition AND log_offset = w.wanted_offset
      ) AS r
    ) AS measured
    WHERE place = 0 OR bytes <= ${whole(maxBytes)}
    ORDER BY place
  ) TO STDOUT (FORMAT binary)`;
}

/** A row, if there is a record at the place: in the tail or, below it, in the base. */
export const recordAt = (
  { base, tails }: { readonly base: number; readonly tails: ReadonlyMap<number, number> },
  { partition, offset }: Position,
): Sql =>
  offset < (tails.get(partition) ?? 1)
    ? statement`SELECT FROM nodeledger.log_base_records
        WHERE base = ${base} AND log_partition = ${partition} AND log_offset = ${offset}::bigint`
    : statement`SELECT FROM nodeledger.log_records WHERE log_partition = ${partition} AND log_offset = ${offset}::bigint`;

/** Which of the given places hold a record of the base. */
export const knownToBase = (base: number, places: ReadonlyMap<number, number>): Sql => statement`
  SELECT b.log_partition AS partition FROM unnest(${arrayLiteral([...places.keys()])}::int[],
    ${arrayLiteral([...places.values()])}::bigint[]) AS w(log_partition, log_offset)
  JOIN nodeledger.log_base_records b USING (log_partition, log_offset) WHERE b.base = ${base}`;

/** The first offset of each partition that a base holds. */
export const firstOfBase = (base: number): Sql => statement`
  SELECT p.log_partition AS partition, (
    SELECT min(b.log_offset) FROM nodeledger.log_base_records b
    WHERE b.base = ${base} AND b.log_partition = p.log_partition) AS first
  FROM nodeledger.log_partitions p`;

/**
 * The recursive query `search`. Its rows with `low` = `high` are the offsets of the first record of each tail that was received
 * at `time` or later, or the end of the partition. The records of a partition are nearly in the order of their times, so a binary
 * search, which reads few rows, is exact enough for an estimate.
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

/** Reads all records of the tail, because their times need not ascend: clocks differ between machines, and are set. */
export const offsetsAppendedSince = (time: number): Sql => statement`
  SELECT p.log_partition AS partition, coalesce((
    SELECT min(r.log_offset) FROM nodeledger.log_records r
    WHERE r.log_partition = p.log_partition AND r.log_offset >= p.tail_offset AND r.received_at >= ${time}::bigint
  ), p.next_offset) AS "offset"
  FROM nodeledger.log_partitions p ORDER BY 1`;

/** A number that no base ever had. */
export const nextBase: Sql = statement`SELECT nextval('nodeledger.log_base_numbers')::int AS base`;

export const countOfBase = (base: number): Sql => statement`
  SELECT count(*) AS records FROM nodeledger.log_base_records WHERE base = ${base}`;

/** Stores records of a base, with the payloads in one value. */
export const insertBaseRecords = (base: number, records: readonly StoredRecord<LogRecord>[]): Sql => ({
  name: 'log-base-insert',
  text: `INSERT INTO nodeledger.log_base_records (base, ${recordColumns}) SELECT $16::int, ${recordValues}`,
  values: [...valuesOf(records), base],
});

/** Stores records of the tail, each at the place that it names. */
export const insertTailRecords = (records: readonly StoredRecord<LogRecord>[]): Sql => ({
  name: 'log-tail-insert',
  text: `INSERT INTO nodeledger.log_records (${recordColumns}) SELECT ${recordValues}`,
  values: valuesOf(records),
});

const recordColumns =
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

/** Lets each partition begin its tail and go on where a restored log does. */
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

/** The partitions' rows, locked: no append and no other base is committed meanwhile. */
export const lockedPartitionRows: Sql = { text: `${partitionRows.text} FOR UPDATE`, values: [] };

export const makeBaseCurrent = (base: number, tails: ReadonlyMap<number, number>): Sql => statement`
  UPDATE nodeledger.log_partitions p SET base = ${base}, tail_offset = t.tail_offset
  FROM unnest(${arrayLiteral([...tails.keys()])}::int[], ${arrayLiteral([...tails.values()])}::bigint[])
    AS t(log_partition, tail_offset)
  WHERE p.log_partition = t.log_partition`;

/** Removes some of the records that the base in force makes superfluous; the headers stay. */
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

/** Removes some of the records of bases that are not in force. */
export const removeBases = (most: number): Sql => statement`
  DELETE FROM nodeledger.log_base_records r USING (
    SELECT base, log_partition, log_offset FROM nodeledger.log_base_records
    WHERE base <> (SELECT max(base) FROM nodeledger.log_partitions)
    ORDER BY base, log_partition, log_offset LIMIT ${most}
  ) AS gone
  WHERE r.base = gone.base AND r.log_partition = gone.log_partition AND r.log_offset = gone.log_offset RETURNING 1`;

/** One that is in force stays. */
export const removeBase = (base: number): Sql => statement`
  DELETE FROM nodeledger.log_base_records WHERE base = ${base}
  AND NOT EXISTS (SELECT FROM nodeledger.log_partitions WHERE base = ${base})`;

type Fields = [
  ...[Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer],
  ...[Buffer, Buffer, Buffer, Buffer, Buffer, Buffer],
];

/** A row of a COPY statement of this file. */
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
