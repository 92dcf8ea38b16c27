/**
 * The project pipeline: records in, rows and position out, in one fenced transaction. Takes records in log order; every
 * one is decoded and checked, also those that a newer one supersedes. What cannot be read becomes a dead letter.
 */
import { advancePositions, holdSharedRows, type Session } from '#database';
import { offsetAfter, type LogRecord } from '#log';
import { BatchMemory, type MemoryShare } from './batch-memory';
import type { BatchPart } from './batch-part';
import { noStepWatch } from './batch-steps';
import { type DeadLetter, writeDeadLetters } from './dead-letters';
import { type FoldContext, foldRecords } from './fold-records';
import type { RecordOutcome } from './record-outcomes';

/** What a batch needs of its projector. */
export interface BatchContext extends FoldContext {
  /** False: rejected commands and the outcomes of retries are not written down, as the tables are made only to be compared. */
  readonly keepDeadLetters?: boolean | undefined;
  /** Shared by batches that are applied at the same time. Default: only this batch is. */
  readonly memory?: BatchMemory | undefined;
}

export interface BatchResult {
  /** How many of the records were applied, in their order: as many as fit in memory together, one at least. */
  readonly applied: number;
  readonly deadLetters: readonly DeadLetter[];
  /** Of each record that was applied, what became of it. */
  readonly outcomes: readonly RecordOutcome[];
  /** True if the records took so long, or had such a large document, that other partitions should be next. */
  readonly isHeavy: boolean;
  /** True where `deleteRemovedRows` has something to do now. */
  readonly hasRemovals: boolean;
}

/**
 * Applies the first of some records, as many as fit in memory together, one at least. They follow the generation's
 * positions without leaving one out in each partition: either documents (restored nodes among them), or removals, or records about
 * partitions, never two of them (`recordRuns`). `rejected` names records that must become dead letters with the
 * given error; they are not read.
 * Throws Fault `database.fenced` where another projector has moved a position, `database.shared-rows-collected` where the known
 * keys are no longer to be relied upon; nothing that shows is changed then.
 */
export async function applyBatch(
  context: BatchContext,
  given: readonly LogRecord[],
  rejected: ReadonlyMap<LogRecord, unknown> = new Map(),
): Promise<BatchResult> {
  const share = (context.memory ?? new BatchMemory()).share();
  try {
    return await applyWithin(share, context, given, rejected);
  } finally {
    share.release();
  }
}

async function applyWithin(
  share: MemoryShare,
  context: BatchContext,
  given: readonly LogRecord[],
  rejected: ReadonlyMap<LogRecord, unknown>,
): Promise<BatchResult> {
  const { db, generation, known, onStep = noStepWatch } = context;
  const { schema } = generation;
  let folded = await foldRecords(context, given, rejected, share);
  const { wereLatest, ...knownReports } = await folded.parts.reports.dropStored(db, schema);
  onStep('prepare_reports');
  if (wereLatest) {
    share.release();
    folded = await foldRecords(context, folded.records, rejected, share, knownReports);
  }
  const { records, parts, deadLetters, outcomes } = folded;

  const inOrder: readonly BatchPart[] = Object.values(parts);
  for (const part of inOrder) part.prepare?.(parts.names, onStep);
  const writeShared = async (session: Session): Promise<void> => {
    for (const part of inOrder) await part.writeShared?.(session, schema, onStep);
  };
  const rememberShared = (): void => {
    for (const part of inOrder) part.committed?.();
  };
  // Shared rows go first, so that no other projector waits for them while this batch is written. A projector that remembers
  // nothing yet writes them with the batch. Then no collection can come between, and the projector learns the epoch.
  const { epoch } = known;
  if (epoch !== undefined) {
    await db.transaction(writeShared);
    onStep('commit');
    rememberShared();
  }

  const reached = await db.transaction(async (session) => {
    await holdSharedRows(session, generation.generation);
    const current = await advancePositions(session, generation.generation, moves(records), epoch);
    onStep('lock');
    if (epoch === undefined) await writeShared(session);
    else {
      // A crash of the database may take this transaction away: the log still has its records. Shared rows were committed
      // before, durably, because this process remembers them.
      await session.query({ text: 'SET LOCAL synchronous_commit = off', values: [] });
    }
    for (const part of inOrder) await part.writeRows?.(session, schema, onStep);
    if (context.keepDeadLetters !== false) {
      await writeDeadLetters(session, records, deadLetters);
      await parts.removals.forgetLetters(session);
    }
    const positions = Object.fromEntries(moves(records).map(({ partition, to }) => [partition, to]));
    await session.query({
      text: `SELECT pg_notify('nodeledger_applied', $1)`,
      values: [JSON.stringify({ generation: generation.generation, positions })],
    });
    onStep('write_letters');
    return current;
  });
  onStep('commit');
  if (epoch === undefined) {
    known.epoch = reached;
    rememberShared();
  }
  return {
    applied: records.length,
    isHeavy: folded.isHeavy,
    deadLetters,
    outcomes: outcomes.all,
    hasRemovals: parts.partitions.hasRemovals,
  };
}

/** For each partition: from the offset of its first record to the one that follows its last, over a base's holes. */
function moves(records: readonly LogRecord[]): { partition: number; from: number; to: number }[] {
  const found = new Map<number, { partition: number; from: number; to: number }>();
  for (const record of records) {
    const { partition, offset } = record;
    const move = found.get(partition);
    if (move === undefined) found.set(partition, { partition, from: offset, to: offsetAfter(record) });
    else move.to = offsetAfter(record);
  }
  return [...found.values()];
}
