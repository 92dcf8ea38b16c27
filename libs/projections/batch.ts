/**
 * Applies a batch: reads records in the order of the log, and writes rows and positions in one transaction. Decodes and
 * checks every record, even if a newer one supersedes it. A record that cannot be read becomes a dead letter.
 */
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

/** State of the projector that a batch needs. */
export interface BatchContext extends FoldContext {
  /**
   * False if rejected commands and outcomes of retries are not stored, because the tables are made only for a
   * comparison.
   */
  readonly keepDeadLetters?: boolean | undefined;
  /** Memory that concurrent batches share. Default: this batch is the only one. */
  readonly memory?: BatchMemory | undefined;
}

export interface BatchResult {
  /** Number of applied records. These are the first records: as many as fit in memory, but at least one. */
  readonly applied: number;
  readonly deadLetters: readonly DeadLetter[];
  /** Outcome of each applied record. */
  readonly outcomes: readonly RecordOutcome[];
  /**
   * True if the batch ended early, because of a large document or because the documents of one node took too long.
   * Other partitions should then be next.
   */
  readonly isHeavy: boolean;
  /** True if `deleteRemovedRows` has rows to delete. */
  readonly hasRemovals: boolean;
}

/**
 * Applies the first of the given records: as many as fit in memory, but at least one. The records of each partition
 * must follow its position without a gap. Either all of them or none are maintenance records (`recordRuns`). `rejected`
 * contains records that become dead letters with the given error, without being read. Throws `database.fenced` if
 * another projector has moved a position, and `database.shared-rows-collected` if the cached keys are no longer valid.
 * In both cases, nothing visible has changed.
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
  // Commits shared rows first, so that no other projector waits for them while this batch is written. A projector with
  // an empty cache writes them with the batch. Then no deletion of shared rows can happen in between, and the
  // projector learns the epoch.
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
      // If the database crashes and loses this transaction, the records are applied again. Shared rows were committed
      // durably before, because this process caches their keys.
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
 * Throws `database.shared-rows-collected` if the generation has started or stopped keeping its past since the state was
 * read. Otherwise a state from an earlier epoch is still valid.
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

/**
 * Returns for each partition the offset of its first record, and the offset after its last record. Ignores the gaps
 * that a snapshot leaves.
 */
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
