/** Takes a generation and, for each partition, an offset; folds the log into it up to there, and says how far it is. */
import { positionsOf, type Generation } from '#database';
import { Fault } from '#fault';
import type { CommandLog, LogRecord } from '#log';
import type { FatalRecords } from '../dead-letters/fatal-records';
import { BatchMemory } from '../batch-memory';
import { deleteRemovedRows } from '../partitions/delete-removed-rows';
import { Projector } from '../projector';
import type { ProjectorOptions } from '../projector/projector-options';
import { runTogether } from '../projector/run-together';
import type { ReplayContext } from './replay-context';

export interface ReplayOptions {
  /** Instead of the log itself. */
  readonly source?: Pick<CommandLog, 'reader'>;
  readonly step?: string;
  /** Number of records to apply. Default: the number of offsets, which is larger if the log has a base. */
  readonly total?: number;
  /** False for tables that are made only to be compared. Default true. */
  readonly keepDeadLetters?: boolean;
  /** True where somebody waits: what age limits have taken stays until the next cleaning deletes it. */
  readonly removeLater?: boolean;
  /** As of ProjectorOptions. */
  readonly fatal?: FatalRecords;
  /** Called with each record that is rejected. */
  readonly onRejected?: (record: LogRecord, error: unknown) => void;
}

/** A batch as large as memory allows: nobody waits for a single record of a replay. */
const batchRecords = 500;
/** One part of the partitions is decoded while PostgreSQL works on the other one. */
const lanes = 2;
/** Fewer records are replayed before a thread has started and its code is compiled. */
const leastForThreads = 3_000;

/** Offsets between two sets of positions: at most that many records, exactly that many where there is no base between them. */
export const recordsBetween = (from: ReadonlyMap<number, number>, to: ReadonlyMap<number, number>): number => {
  let sum = 0;
  for (const [partition, offset] of to) sum += Math.max(0, offset - (from.get(partition) ?? offset));
  return sum;
};

/** Where a generation stands, without whose log that is. */
export async function offsetsOf(db: ReplayContext['db'], generation: Generation): Promise<Map<number, number>> {
  const positions = await positionsOf(db, generation.generation);
  return new Map([...positions].map(([partition, { nextOffset }]) => [partition, nextOffset]));
}

/** Returns the number of records applied. Fault `maintenance.stopped` (busy) where the signal aborted. */
export async function replayTo(
  context: ReplayContext,
  generation: Generation,
  until: ReadonlyMap<number, number>,
  options: ReplayOptions = {},
): Promise<number> {
  const { source = context.log, step = 'replay', keepDeadLetters, removeLater, fatal, onRejected } = options;
  const { db, logId, maxCommandBytes, limits, dropFact, signal, threads, onRecords, onProgress, onNotice } = context;
  const start = await offsetsOf(db, generation);
  const total = options.total ?? recordsBetween(start, until);
  let applied = 0;
  const onBatch = (records: number): void => {
    applied += records;
    onRecords?.(records);
    onProgress?.({ step, done: Math.min(applied, total), total, unit: 'records' });
  };
  // Threads open the log of the context, and know nothing else of this caller.
  const isPlain = source === context.log && fatal === undefined && onRejected === undefined;
  if (threads !== undefined && isPlain && total >= leastForThreads) {
    const shares = divided(until, start, threads.count);
    const how = { ...(keepDeadLetters !== undefined && { keepDeadLetters }), ...(removeLater && { removeLater }) };
    await runTogether(signal, shares.length, (number, stopping) =>
      threads.replay(
        { generation, until: shares[number] as ReadonlyMap<number, number>, ...how },
        { signal: stopping, onRecords: onBatch, ...(onNotice && { onNotice }) },
      ),
    );
    stopIfAsked(signal);
    onProgress?.({ step, done: total, total, unit: 'records' });
    return applied;
  }
  const projection: Omit<ProjectorOptions, 'until'> = {
    db,
    log: source,
    logId,
    generation,
    maxCommandBytes,
    limits,
    dropFact,
    batchRecords,
    memory: new BatchMemory(lanes),
    ...(keepDeadLetters !== undefined && { keepDeadLetters }),
    ...(fatal && { fatal }),
    ...(removeLater !== true && {
      onReportsRemoved: async () => void (await deleteRemovedRows(db, generation, { signal })),
    }),
    onDeadLetter: ({ record, error }) => onRejected?.(record, error),
    onBatch,
    onRetry: (error, waitMs) =>
      onNotice?.(`waits ${waitMs} ms for the database: ${error instanceof Error ? error.message : String(error)}`),
  };
  const shares = divided(until, start, lanes);
  await runTogether(signal, shares.length, (number, stopping) =>
    new Projector({ ...projection, until: shares[number] as ReadonlyMap<number, number> }).run(stopping),
  );
  stopIfAsked(signal);
  onProgress?.({ step, done: total, total, unit: 'records' });
  return applied;
}

/** The partitions that are not there yet, in `most` parts or fewer. */
function divided(
  until: ReadonlyMap<number, number>,
  start: ReadonlyMap<number, number>,
  most: number,
): Map<number, number>[] {
  const shares: Map<number, number>[] = [];
  let next = 0;
  for (const [partition, end] of until) {
    if ((start.get(partition) ?? 0) >= end) continue;
    (shares[next % most] ??= new Map()).set(partition, end);
    next += 1;
  }
  return shares;
}

export function stopIfAsked(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new Fault('busy', 'maintenance.stopped', 'stopped on request', { hint: 'What was done so far is kept.' });
}
