import type { Database } from '#database';
import { Fault } from '#fault';
import type { LogContent } from '../log-content';
import {
  insertBaseRecords,
  insertTailRecords,
  makePartitions,
  nextBase,
  openingLock,
  partitionRows,
  placePartitions,
} from './statements';
import type { SplitPayload } from './pieces/split-payload';
import { storeRecords } from './stored-record';

/**
 * The log does not exist before the last transaction has committed. Throws `log.not-empty` if the database has a log.
 */
export async function restoreLog(
  db: Database,
  content: LogContent,
  header: Buffer,
  splitter: SplitPayload | undefined,
): Promise<void> {
  const { identity, tails, ends } = content;
  if ((await db.query(partitionRows)).length > 0) throw notEmpty();
  await db.query({
    text: `TRUNCATE nodeledger.log_records, nodeledger.log_base_records, nodeledger.log_epochs, nodeledger.log_sections,
             nodeledger.log_pieces`,
    values: [],
  });
  const [row] = await db.query<{ base: number }>(nextBase);
  const hasBase = [...tails.values()].some((tail) => tail > 1);
  const base = hasBase ? (row?.base ?? 1) : 0;
  await storeRecords(content.tail(), { db, splitter, epoch: 1 }, insertTailRecords);
  if (hasBase) {
    await storeRecords(content.base(), { db, splitter, epoch: -base }, (batch) => insertBaseRecords(base, batch));
  }
  await db.transaction(async (session) => {
    await session.query(openingLock);
    if ((await session.query(partitionRows)).length > 0) throw notEmpty();
    await session.query(makePartitions(identity.logId, identity.partitions, header));
    await session.query(placePartitions(base, tails, ends));
  });
}

const notEmpty = (): Fault =>
  new Fault('conflict', 'log.not-empty', 'the database holds a log already', {
    hint: 'Restore into an empty database. Nothing has been changed.',
  });
