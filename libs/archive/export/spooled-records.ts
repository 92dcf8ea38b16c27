/**
 * Provides the records of an export from a log that can only be read in order. Reads the log once, and copies the
 * planned records to a temporary file.
 */
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arrayLiteral, type OwnSession } from '#database';
import { type LogRecord, noRecord, type Position } from '#log';
import { recordsUntil, type ReplayContext } from '#projections';
import type { PlanSummary } from './export-plan';
import { readBytes, type RecordSource, type StoredCommand } from './record-source';

interface Spooled {
  readonly start: number;
  readonly length: number;
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly received_at: string;
  readonly encoding: LogRecord['encoding'];
}

export class SpooledRecords implements RecordSource {
  private constructor(
    private readonly session: OwnSession,
    private readonly file: FileHandle,
  ) {}

  static async make(
    context: ReplayContext,
    session: OwnSession,
    { positions, total }: PlanSummary,
  ): Promise<SpooledRecords> {
    await session.query({
      text: `CREATE UNIQUE INDEX ON export_plan (log_partition, log_offset) WHERE log_offset IS NOT NULL`,
      values: [],
    });
    await session.query({
      text: `CREATE TEMP TABLE export_spool (
               log_partition int, log_offset bigint, start bigint, length int, command text, version int, certname text,
               received_at bigint, encoding text, PRIMARY KEY (log_partition, log_offset))`,
      values: [],
    });
    const source = new SpooledRecords(session, await unnamedFile());
    try {
      let end = 0;
      let found = 0;
      for await (const batch of recordsUntil(context, positions)) {
        const planned = await source.planned(batch);
        end = await source.add(planned, end);
        found += planned.length;
        context.onProgress?.({ step: 'read the log', done: found, total, unit: 'records' });
      }
      return source;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  async read(positions: readonly Position[]): Promise<readonly StoredCommand[]> {
    const rows = await this.session.query<Spooled & { ordinal: number }>({
      text: `SELECT t.ordinal::int AS ordinal, start, length, command, version, certname, received_at::text AS received_at, encoding
             FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS t(log_partition, log_offset, ordinal)
             JOIN export_spool USING (log_partition, log_offset) ORDER BY t.ordinal`,
      values: positionArrays(positions),
    });
    const records: StoredCommand[] = [];
    let bytes = 0;
    for (const [index, row] of rows.entries()) {
      if (row.ordinal !== index + 1) break;
      bytes += row.length;
      if (records.length > 0 && bytes > readBytes) return records;
      const { start, length, command, version, certname, encoding, received_at: receivedAt } = row;
      const payload = Buffer.allocUnsafe(length);
      await this.file.read(payload, 0, length, start);
      records.push({ command, version, certname, encoding, receivedAt: Number(receivedAt), payload });
    }
    const missing = positions[records.length];
    if (records.length > 0 || missing === undefined) return records;
    throw noRecord(missing);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private async planned(batch: readonly LogRecord[]): Promise<LogRecord[]> {
    const rows = await this.session.query<{ ordinal: number }>({
      text: `SELECT t.ordinal::int AS ordinal FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS t(log_partition, log_offset, ordinal)
             WHERE EXISTS (SELECT FROM export_plan p
               WHERE p.log_partition = t.log_partition AND p.log_offset = t.log_offset AND p.log_offset IS NOT NULL)`,
      values: positionArrays(batch),
    });
    return rows.map(({ ordinal }) => batch[ordinal - 1]!);
  }

  private async add(records: readonly LogRecord[], end: number): Promise<number> {
    const starts: number[] = [];
    let next = end;
    for (const { payload } of records) {
      starts.push(next);
      await this.file.write(payload, 0, payload.length, next);
      next += payload.length;
    }
    if (records.length === 0) return end;
    const of = (value: (record: LogRecord, index: number) => string | number): string =>
      arrayLiteral(records.map(value));
    await this.session.query({
      text: `INSERT INTO export_spool
             SELECT * FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::int[], $5::text[], $6::int[], $7::text[],
               $8::bigint[], $9::text[])`,
      values: [
        ...positionArrays(records),
        of((_, index) => starts[index]!),
        of(({ payload }) => payload.length),
        of(({ command }) => command),
        of(({ version }) => version),
        of(({ certname }) => certname),
        of(({ receivedAt }) => receivedAt),
        of(({ encoding }) => encoding),
      ],
    });
    return next;
  }
}

const positionArrays = (positions: readonly Position[]): string[] => [
  arrayLiteral(positions.map(({ partition }) => partition)),
  arrayLiteral(positions.map(({ offset }) => offset)),
];

/** Deletes the name of the file, so that the operating system removes the file when the process ends. */
async function unnamedFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'nodeledger-export-'));
  try {
    return await open(join(folder, 'records'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
