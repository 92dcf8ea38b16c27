/** Writes a whole log into the tables of the embedded log, which hold none yet. */
import type { Database, Sql } from '#database';
import { Fault } from '#fault';
import type { LogContent } from '../log-content';
import type { LogRecord } from '../record';
import {
  insertBaseRecords,
  insertTailRecords,
  makePartitions,
  nextBase,
  openingLock,
  partitionRows,
  placePartitions,
} from './statements';
import { storedRecord, type StoredRecord } from './stored-record';

const batchBytes = 8 << 20;
const batchRecords = 1_000;

/** Fault `log.not-empty` (conflict). The log is there when the last of its transactions commits, and not before. */
export async function restoreLog(db: Database, content: LogContent, header: Buffer): Promise<void> {
  const { identity, tails, ends } = content;
  if ((await db.query(partitionRows)).length > 0) throw notEmpty();
  await db.query({ text: 'TRUNCATE nodeledger.log_records, nodeledger.log_base_records', values: [] });
  const [row] = await db.query<{ base: number }>(nextBase);
  const hasBase = [...tails.values()].some((tail) => tail > 1);
  const base = hasBase ? (row?.base ?? 1) : 0;
  await insert(db, content.tail(), insertTailRecords);
  if (hasBase) await insert(db, content.base(), (records) => insertBaseRecords(base, records));
  await db.transaction(async (session) => {
    await session.query(openingLock);
    if ((await session.query(partitionRows)).length > 0) throw notEmpty();
    await session.query(makePartitions(identity.logId, identity.partitions, header));
    await session.query(placePartitions(base, tails, ends));
  });
}

async function insert(
  db: Database,
  records: AsyncIterable<LogRecord>,
  statementOf: (batch: readonly StoredRecord<LogRecord>[]) => Sql,
): Promise<void> {
  let batch: LogRecord[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    await db.query(statementOf(await Promise.all(batch.map(storedRecord))));
    batch = [];
    bytes = 0;
  };
  for await (const record of records) {
    if (batch.length > 0 && (bytes + record.payload.length > batchBytes || batch.length >= batchRecords)) await flush();
    batch.push(record);
    bytes += record.payload.length;
  }
  if (batch.length > 0) await flush();
}

const notEmpty = (): Fault =>
  new Fault('conflict', 'log.not-empty', 'the database holds a log already', {
    hint: 'Restore into an empty database. Nothing has been changed.',
  });
