import type { Database, Sql } from '#database';
import { Fault } from '#fault';
import { inBatches } from '../batches';
import type { LeftOutSection, RecordParts } from '../document-parts';
import { inflatedTo, storePayload } from '../payload-storage';
import type { StoredRecord } from './row-columns';
import { type LogRecord, type NewRecord, type Position, wholeRecord } from '../record';
import { type AppendedParts, appendedParts, besideBatch } from './pieces/appended-parts';
import type { PieceMemory } from './pieces/piece-memory';
import { copySections } from './pieces/piece-statements';
import { insertSections } from './pieces/piece-statements';
import type { SplitPayload } from './pieces/split-payload';
import { piecesOf, restOf, sectionBytesOf, type StoredParts, wholeDocuments } from './pieces/read-pieces';
import { readSections } from './pieces/section-list';

const batchLimits = { records: 1_000, bytes: 8 << 20 };

export async function storedRecord<R extends NewRecord>(record: R): Promise<StoredRecord<R>> {
  const { value, deflated } = await storePayload(record.payload, record.encoding);
  return deflated ? { ...record, payload: value, plainBytes: record.payload.length } : record;
}

export interface StoringOptions {
  readonly db: Database;
  readonly splitter: SplitPayload | undefined;
  readonly epoch: number;
}

let storings = 0;

export async function storeRecords(
  records: AsyncIterable<LogRecord>,
  { db, splitter, epoch }: StoringOptions,
  insert: (batch: readonly StoredRecord<LogRecord>[]) => Sql,
): Promise<number> {
  let stored = 0;
  // Starts a new round, so that the splitter forgets the sections of earlier calls. An earlier call may have failed
  // before it stored its sections.
  const round = -++storings;
  for await (const batch of inBatches(records, batchLimits, ({ payload }) => payload.length)) {
    const rows: StoredRecord<LogRecord>[] = [];
    const given: AppendedParts[] = [];
    const copied = new Map<number, Buffer[]>();
    for (const record of batch) {
      const { parts, ...rest } = record;
      if (parts instanceof EmbeddedParts && parts.db === db) {
        const from = parts.columns.epoch;
        copied.set(from, [...(copied.get(from) ?? []), ...parts.sections.map(({ sha256 }) => sha256)]);
        rows.push({ ...rest, ...parts.columns, epoch });
        continue;
      }
      const whole = await wholeRecord(record);
      const { command, certname, encoding, payload } = whole;
      const split = splitter?.takes(whole) && (await splitter.split({ command, certname, encoding, payload, round }));
      if (!split) {
        rows.push(await storedRecord(whole));
        continue;
      }
      const made = appendedParts(split, epoch);
      given.push(made);
      rows.push({ ...whole, ...made.columns });
    }
    for (const [from, hashes] of copied) await db.query(copySections(from, epoch, Buffer.concat(hashes)));
    if (given.length > 0) await db.query(insertSections(besideBatch(given)));
    await db.query(insert(rows));
    stored += rows.length;
  }
  return stored;
}

class EmbeddedParts implements RecordParts {
  readonly sections: RecordParts['sections'];
  readonly stored: StoredParts;

  constructor(
    readonly db: Database,
    readonly columns: Required<Pick<StoredRecord, 'plainBytes' | 'sections' | 'epoch' | 'payload'>>,
    private readonly position: Position,
    private readonly memory: PieceMemory,
  ) {
    this.sections = readSections(columns.sections);
    this.stored = { ...columns, rest: columns.payload, sections: this.sections };
  }

  get length(): number {
    return this.columns.plainBytes;
  }

  get compressedRest(): Buffer {
    return this.columns.payload;
  }

  async pieces(section: LeftOutSection): Promise<readonly Buffer[]> {
    return piecesOf(this.db, this.stored, section).catch((cause: unknown) => {
      throw damaged(this.position, cause);
    });
  }

  async rest(): Promise<Buffer> {
    return restOf(this.stored).catch((cause: unknown) => {
      throw damaged(this.position, cause);
    });
  }

  async sectionBytes(): Promise<readonly Buffer[]> {
    return sectionBytesOf(this.db, this.stored, this.memory).catch((cause: unknown) => {
      throw damaged(this.position, cause);
    });
  }

  async whole(): Promise<Buffer> {
    const [whole] = await wholeDocuments(this.db, [this.stored]);
    if (!Buffer.isBuffer(whole)) throw damaged(this.position, whole);
    return whole;
  }
}

/** Throws `log.foreign` if a payload is damaged. */
export async function restoredRecords(
  db: Database,
  stored: readonly StoredRecord<LogRecord>[],
  inParts: readonly string[],
  memory: PieceMemory,
): Promise<LogRecord[]> {
  const records = await Promise.all(
    stored.map(async ({ plainBytes, sections, epoch, ...record }): Promise<LogRecord> => {
      if (plainBytes === undefined) return record;
      if (sections === undefined || epoch === undefined) return inflated(record, plainBytes);
      const { payload } = record;
      return { ...record, parts: new EmbeddedParts(db, { plainBytes, sections, epoch, payload }, record, memory) };
    }),
  );
  const wanted = records.flatMap(({ command, parts }) =>
    parts instanceof EmbeddedParts && !inParts.includes(command) ? [parts.stored] : [],
  );
  if (wanted.length === 0) return records;
  const documents = (await wholeDocuments(db, wanted)).values();
  return records.map((given) => {
    const { parts, ...record } = given;
    if (parts === undefined || inParts.includes(record.command)) return given;
    const payload = documents.next().value;
    if (!Buffer.isBuffer(payload)) throw damaged(record, payload);
    return { ...record, payload };
  });
}

async function inflated(record: LogRecord, plainBytes: number): Promise<LogRecord> {
  try {
    return { ...record, payload: await inflatedTo(plainBytes, record.payload) };
  } catch (cause) {
    throw damaged(record, cause);
  }
}

const damaged = ({ partition, offset }: Position, cause: unknown): Fault =>
  new Fault('broken', 'log.foreign', `the payload at offset ${offset} of partition ${partition} is damaged`, {
    hint: 'The row was changed from outside, or the disk has lost a part of it. Restore the log from a backup.',
    details: { partition, offset },
    cause,
  });
