/** Applies a batch: writes rows and positions in one transaction. Records that cannot be read become dead letters. */
import { advancePositions, type Generation, holdSharedRows, type Session } from '#database';
import { Fault } from '#fault';
import { offsetAfter, type LogRecord } from '#log';
import { BatchMemory, type MemoryShare } from './batch-memory';
import type { BatchPart } from './batch-part';
import { noStepWatch } from './batch-steps';
import { type PastState, readPastState } from './history/kept-past';
import { recordTimes } from './history/record-times';
import { readVolatileFacts } from './timeline/volatile-facts';
import { type DeadLetter, withPayload, writeDeadLetters } from './dead-letters';
import { type FoldContext, foldRecords } from './fold-records';
import type { RecordOutcome } from './record-outcomes';

export interface BatchContext extends FoldContext {
  /** If false, rejected commands and outcomes of retries are not stored, because the tables only serve a comparison. */
  readonly keepDeadLetters?: boolean | undefined;
  /** Memory that concurrent batches share. Default: this batch has all memory. */
  readonly memory?: BatchMemory | undefined;
}

export interface BatchResult {
  readonly applied: number;
  readonly deadLetters: readonly DeadLetter[];
  readonly outcomes: readonly RecordOutcome[];
  /**
   * True if the batch ended early, because of a large document or because the documents of one node took too long. The
   * projector should then continue with other partitions.
   */
  readonly isHeavy: boolean;
  /** True if `deleteRemovedRows` has rows to delete. */
  readonly hasRemovals: boolean;
}

/**
 * Applies the first records that fit in memory, but at least one. The records of each partition must begin at the
 * position of the partition and have no gap. Records in `rejected` become dead letters and are not read. Throws
 * `database.fenced` if another projector has moved a position, and `database.shared-rows-collected` if cached keys are
 * no longer valid.
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
  const past = (known.past ??= await readPastState(db, generation));
  if (past.starts.size > 0) known.volatileFacts ??= await readVolatileFacts(db, schema);
  let folded = await foldRecords(context, given, rejected, share, past.starts);
  const { wereLatest, ...knownReports } = await folded.parts.reports.dropStored(db, schema);
  onStep('prepare_reports');
  if (wereLatest) {
    share.release();
    folded = await foldRecords(context, folded.records, rejected, share, past.starts, knownReports);
  }
  const { records, parts, deadLetters, outcomes } = folded;
  const letters = context.keepDeadLetters === false ? [] : await Promise.all(deadLetters.map(withPayload));

  const inOrder: readonly BatchPart[] = Object.values(parts);
  for (const part of inOrder) part.prepare?.(parts.names, onStep);
  const writeShared = async (session: Session): Promise<void> => {
    for (const part of inOrder) await part.writeShared?.(session, schema, onStep);
  };
  const rememberShared = (): void => {
    for (const part of inOrder) part.committed?.();
  };
  // Shared rows are committed first, so that no other projector waits for their locks while this batch is written. If
  // the epoch is unknown, all rows are written in one transaction, because this batch could not notice a deletion of
  // shared rows between two transactions.
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
    if (epoch === undefined) await requireSamePast(session, generation, past, current);
    if (epoch === undefined) await writeShared(session);
    else {
      // If a crash of PostgreSQL loses this commit, the projector applies the records again. The commit of the shared
      // rows above was durable, because this process caches their keys.
      await session.query({ text: 'SET LOCAL synchronous_commit = off', values: [] });
    }
    for (const part of inOrder) await part.writeRows?.(session, schema, onStep);
    await recordTimes(session, schema, records, past.starts);
    if (context.keepDeadLetters !== false) {
      await writeDeadLetters(session, records, letters);
      await parts.maintenance.forgetLetters(session);
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
    hasRemovals: parts.maintenance.hasRemovals,
  };
}

/**
 * Throws `database.shared-rows-collected` if the generation has started or stopped keeping its past since `past` was
 * read. Allows other changes of the epoch, because `past` stays valid.
 */
async function requireSamePast(
  session: Session,
  generation: Generation,
  { starts, epoch }: PastState,
  current: string | undefined,
): Promise<void> {
  if (epoch === current) return;
  const now = await readPastState(session, generation);
  if (now.starts.size === starts.size) return;
  throw new Fault('conflict', 'database.shared-rows-collected', 'the tables have begun or ceased to keep their past');
}

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
