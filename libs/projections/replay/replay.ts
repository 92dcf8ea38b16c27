import { positionsOf, type Generation } from '#database';
import { Fault } from '#fault';
import type { CommandLog, LogRecord } from '#log';
import type { FatalRecords } from '../dead-letters/fatal-records';
import { BatchMemory } from '../batch-memory';
import { deleteRemovedRows } from '../maintenance/delete-removed-rows';
import { Projector } from '../projector';
import type { ProjectorOptions } from '../projector/projector-options';
import { runTogether } from '../projector/run-together';
import type { ReplayContext } from './replay-context';

export interface ReplayOptions {
  readonly source?: Pick<CommandLog, 'reader'>;
  readonly step?: string;
  /**
   * Number of records to apply. Default: the number of offsets. After a snapshot, there are fewer records than offsets.
   */
  readonly total?: number;
  /** False for tables that only serve a comparison. Default: true. */
  readonly keepDeadLetters?: boolean;
  /**
   * Whether the next cleaning deletes the rows that age limits have removed. Default: the replay deletes these rows.
   */
  readonly removeLater?: boolean;
  readonly fatal?: FatalRecords;
  readonly onRejected?: (record: LogRecord, error: unknown) => void;
}

/** This number is large, because no client waits for a single record of a replay. */
const batchRecords = 500;
/** One projector decodes records while PostgreSQL writes the batch of the other projector. */
const projectorsAtOnce = 2;
/** With fewer records, the start of a thread takes longer than the replay. */
const leastForThreads = 3_000;

/** Counts offsets. After a snapshot, there are fewer records than offsets. */
export const recordsBetween = (from: ReadonlyMap<number, number>, to: ReadonlyMap<number, number>): number => {
  let sum = 0;
  for (const [partition, offset] of to) sum += Math.max(0, offset - (from.get(partition) ?? offset));
  return sum;
};

export async function offsetsOf(db: ReplayContext['db'], generation: Generation): Promise<Map<number, number>> {
  const positions = await positionsOf(db, generation.generation);
  return new Map([...positions].map(([partition, { nextOffset }]) => [partition, nextOffset]));
}

/**
 * Applies the log up to `until`, and returns the number of applied records. Throws `maintenance.stopped` if the signal
 * aborts.
 */
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
  // Threads open the log of the context, and cannot receive other sources, fatal records or callbacks.
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
    stopIfAborted(signal);
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
    memory: new BatchMemory(projectorsAtOnce),
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
  const shares = divided(until, start, projectorsAtOnce);
  await runTogether(signal, shares.length, (number, stopping) =>
    new Projector({ ...projection, until: shares[number] as ReadonlyMap<number, number> }).run(stopping),
  );
  stopIfAborted(signal);
  onProgress?.({ step, done: total, total, unit: 'records' });
  return applied;
}

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

export function stopIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new Fault('busy', 'maintenance.stopped', 'stopped on request', { hint: 'What was done so far is kept.' });
}
