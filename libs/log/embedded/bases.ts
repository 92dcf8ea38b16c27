/**
 * A new base is written under a new number while readers use the current base. One transaction makes the new base the
 * current base. Superseded rows are deleted in small steps, so that an interrupted deletion can continue later.
 */
import type { Database } from '#database';
import { Fault } from '#fault';
import type { LogReader, PreparedBase, ReaderOptions } from '../command-log';
import type { LogRecord } from '../record';
import type { CurrentBase } from './embedded-reader';
import {
  countOfBase,
  insertBaseRecords,
  lockedPartitionRows,
  nextBase,
  makeBaseCurrent,
  removeBase,
  removeBases,
  removeTail,
  type PartitionRow,
} from './statements';
import { firstOfBase } from './read-statements';
import { beginEpoch } from './pieces/piece-statements';
import { removeEpoch, removePassedEpochs } from './pieces/remove-epochs';
import type { SplitPayload } from './pieces/split-payload';
import { storeRecords } from './stored-record';

/** Rows that one statement deletes. The number is small, so that the statement takes few locks. */
const removedAtOnce = 2_000;

/** Returns the offset of the first record in the base, or the tail if the base has no record. */
export async function baseStarts(db: Database, { base, tails }: CurrentBase): Promise<Map<number, number>> {
  const rows = await db.query<{ partition: number; first: number | null }>(firstOfBase(base));
  const first = new Map(rows.map((row) => [row.partition, row.first]));
  return new Map([...tails].map(([partition, tail]) => [partition, first.get(partition) ?? tail]));
}

interface WantedBase {
  readonly logId: string;
  readonly tails: ReadonlyMap<number, number>;
  readonly records: AsyncIterable<LogRecord>;
  readonly splitter?: SplitPayload | undefined;
}

interface BaseHost {
  reader(made: CurrentBase, start: ReadonlyMap<number, number>, options?: ReaderOptions): LogReader;
  committed(): Promise<void>;
}

export async function writeBase(
  db: Database,
  { logId, tails, records, splitter }: WantedBase,
  host: BaseHost,
): Promise<PreparedBase> {
  const [row] = await db.query<{ base: number }>(nextBase);
  const { base } = row as { base: number };
  const made: CurrentBase = { base, tails: new Map(tails) };
  let written = 0;
  try {
    written = await storeRecords(records, { db, splitter, epoch: -base }, (batch) => insertBaseRecords(base, batch));
  } catch (error) {
    await db.query(removeBase(made.base)).catch(() => undefined);
    throw error;
  }
  return {
    starts: () => baseStarts(db, made),
    reader: (start, options) => host.reader(made, start, options),
    commit: async () => {
      await commit(db, logId, made, written);
      await host.committed();
    },
    discard: async () => {
      await db.query(removeBase(made.base));
      await removeEpoch(db, -made.base);
    },
  };
}

/**
 * Throws `log.foreign` if the opened log was replaced. Throws `log.base` if a newer base is current, or if the base has
 * lost records.
 */
async function commit(db: Database, logId: string, { base, tails }: CurrentBase, written: number): Promise<void> {
  await db.transaction(async (session) => {
    const rows = await session.query<PartitionRow>(lockedPartitionRows);
    if (rows.length !== tails.size || rows.some((row) => row.log_id !== logId)) {
      throw new Fault('broken', 'log.foreign', 'the log in the database is not the one that was opened');
    }
    for (const row of rows) {
      const tail = tails.get(row.partition) ?? 0;
      if (row.base < base && tail >= row.tail_offset && tail <= row.next_offset) continue;
      throw new Fault('conflict', 'log.base', `the base cannot end at ${row.partition}-${tail}`, {
        hint: 'Another base was put in force meanwhile: make a new one.',
        details: { base, inForce: row.base, tail: row.tail_offset, end: row.next_offset },
      });
    }
    // Another process may have deleted records of this base, because the base was not current.
    const [found] = await session.query<{ records: number }>(countOfBase(base));
    if (found?.records !== written) {
      throw new Fault('conflict', 'log.base', `the base is not whole: ${found?.records} of ${written} records`, {
        hint: 'Another process has removed it. Make a new one; the log is unchanged.',
      });
    }
    await session.query(makeBaseCurrent(base, tails));
    // The sections of the earlier epoch can be deleted when the tail begins after all its records.
    await session.query(beginEpoch);
  });
}

export async function removeSuperseded(db: Database): Promise<void> {
  for (const [table, remove] of [
    ['nodeledger.log_records', removeTail],
    ['nodeledger.log_base_records', removeBases],
  ] as const) {
    let removed = 0;
    for (;;) {
      const some = (await db.query(remove(removedAtOnce))).length;
      if (some === 0) break;
      removed += some;
    }
    if (removed > 0) await db.query({ text: `VACUUM ${table}`, values: [] });
  }
  await removePassedEpochs(db);
}
