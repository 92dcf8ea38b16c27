import { statement, type Sql } from '#database';
import { hashTexts, joined } from '../bytea-list';
import type { StoredSections } from './stored-sections';

const hex = (hash: string): string => {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new RangeError(`${hash} is no SHA-256`);
  return hash;
};

/** Each row has the index of the section in `wanted` and the content of a piece, in order. */
export function copyPieces(wanted: readonly { readonly epoch: number; readonly hash: string }[]): string {
  const rows = wanted.map(({ epoch, hash }, index) => `(${index}, ${epoch | 0}, '\\x${hex(hash)}'::bytea)`);
  return `COPY (
    SELECT w.index, p.content FROM (VALUES ${rows.join(', ')}) AS w(index, epoch, hash)
    JOIN nodeledger.log_sections s ON s.epoch = w.epoch AND s.hash = w.hash
    CROSS JOIN LATERAL generate_series(0, octet_length(s.pieces) / 32 - 1) AS number
    JOIN nodeledger.log_pieces p ON p.epoch = w.epoch AND p.hash = substring(s.pieces FROM 32 * number + 1 FOR 32)
    ORDER BY w.index, number
  ) TO STDOUT (FORMAT binary)`;
}

/** Each row has the index of the section in `wanted`, and the concatenated hashes of its pieces. */
export function copyPieceHashes(epoch: number, wanted: readonly string[]): string {
  const rows = wanted.map((hash, index) => `(${index}, '\\x${hex(hash)}'::bytea)`);
  return `COPY (
    SELECT w.index, s.pieces FROM (VALUES ${rows.join(', ')}) AS w(index, hash)
    JOIN nodeledger.log_sections s ON s.epoch = ${epoch | 0} AND s.hash = w.hash
  ) TO STDOUT (FORMAT binary)`;
}

export const copyPiecesWith = (epoch: number, wanted: readonly string[]): string => `COPY (
    SELECT hash, content FROM nodeledger.log_pieces
    WHERE epoch = ${epoch | 0} AND hash = ANY ('{${wanted.map((hash) => `"\\\\x${hex(hash)}"`).join()}}'::bytea[])
  ) TO STDOUT (FORMAT binary)`;

/** `hashes` has 32 bytes for each section. */
export const copySections = (from: number, to: number, hashes: Buffer): Sql => statement`
  WITH found AS (
    SELECT s.hash, s.pieces FROM (
      SELECT DISTINCT substring(${hashes}::bytea FROM 32 * number + 1 FOR 32) AS hash
      FROM generate_series(0, octet_length(${hashes}::bytea) / 32 - 1) AS number
    ) AS w JOIN nodeledger.log_sections s ON s.epoch = ${from}::int AND s.hash = w.hash
    WHERE NOT EXISTS (SELECT FROM nodeledger.log_sections t WHERE t.epoch = ${to}::int AND t.hash = w.hash)
  ), sections AS (
    INSERT INTO nodeledger.log_sections (epoch, hash, pieces) SELECT ${to}::int, hash, pieces FROM found ORDER BY hash
    ON CONFLICT DO NOTHING
  )
  INSERT INTO nodeledger.log_pieces (epoch, hash, content)
  SELECT ${to}::int, p.hash, p.content FROM (
    SELECT DISTINCT substring(f.pieces FROM 32 * number + 1 FOR 32) AS hash
    FROM found f CROSS JOIN LATERAL generate_series(0, octet_length(f.pieces) / 32 - 1) AS number
  ) AS w JOIN nodeledger.log_pieces p ON p.epoch = ${from}::int AND p.hash = w.hash
  ORDER BY p.hash ON CONFLICT DO NOTHING`;

/** The caller must have locked the rows of the partitions, so that no append is open. */
export const beginEpoch: Sql = statement`
  WITH ended AS (
    INSERT INTO nodeledger.log_epochs (epoch, log_partition, end_offset)
    SELECT epoch, log_partition, next_offset FROM nodeledger.log_partitions
  )
  UPDATE nodeledger.log_partitions SET epoch = epoch + 1`;

export const passedEpochs: Sql = statement`
  SELECT e.epoch FROM nodeledger.log_epochs e JOIN nodeledger.log_partitions p USING (log_partition)
  GROUP BY e.epoch HAVING bool_and(e.end_offset <= p.tail_offset)`;

export const epochOfOtherBase: Sql = statement`
  SELECT epoch FROM nodeledger.log_sections
  WHERE epoch < 0 AND epoch <> -(SELECT max(base) FROM nodeledger.log_partitions) LIMIT 1`;

export const removeOfEpoch = (table: 'log_sections' | 'log_pieces', epoch: number, most: number): Sql => ({
  text: `DELETE FROM nodeledger.${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM nodeledger.${table} WHERE epoch = $1::int LIMIT $2::int)) RETURNING 1`,
  values: [epoch, most],
});

export const forgetEpoch = (epoch: number): Sql => statement`
  DELETE FROM nodeledger.log_epochs WHERE epoch = ${epoch}::int`;

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
