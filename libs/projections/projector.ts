import { setTimeout as delay } from 'node:timers/promises';
import { isRetriable, positionsOf } from '#database';
import { Fault, isFault } from '#fault';
import type { CommandLog, LogRecord } from '#log';
import { isLifecycleCommand } from '#wire';
import { applyBatch, type BatchContext } from './batch';
import type { DeadLetter } from './dead-letters';
import { KnownKeys } from './known-keys';
import { EventDays } from './reports/event-days';

export interface ProjectorOptions extends Pick<BatchContext, 'db' | 'generation' | 'maxCommandBytes' | 'dropFact'> {
  readonly log: CommandLog;
  /** Identity of the log that the positions must belong to. */
  readonly logId: string;
  /** Called with each dead letter, once it is committed: an alarm, never a decision. */
  readonly onDeadLetter?: (letter: DeadLetter) => void;
  /** Called when a batch has to wait for the database. */
  readonly onRetry?: (error: unknown, waitMs: number) => void;
  /** Called after each committed batch. */
  readonly onBatch?: (records: number) => void;
  /** Most records of one batch; default 200. */
  readonly batchRecords?: number;
}

/** Bytes of payloads read from the log at once, and of inflated payloads applied in one transaction. */
const readBytes = 4 << 20;
const applyBytes = 12 << 20;
const longestWaitMs = 5_000;

/** Inflated size of a payload as its own trailer says it (modulo 2^32, and a hint only). */
function inflatedSize({ encoding, payload }: LogRecord): number {
  return encoding === 'gzip' && payload.length >= 18 ? payload.readUInt32LE(payload.length - 4) : payload.length;
}

/**
 * Records cut into runs whose inflated payloads fit in memory together; a larger one stands alone. A run holds documents
 * or maintenance records: what a removal takes away was written by an earlier batch, what comes after it by a later one.
 */
function* portions(records: readonly LogRecord[]): Generator<LogRecord[]> {
  let portion: LogRecord[] = [];
  let bytes = 0;
  let maintenance = false;
  for (const record of records) {
    const size = inflatedSize(record);
    const isMaintenance = isLifecycleCommand(record.command);
    if (portion.length > 0 && (bytes + size > applyBytes || isMaintenance !== maintenance)) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(record);
    bytes += size;
    maintenance = isMaintenance;
  }
  if (portion.length > 0) yield portion;
}

/** Folds the log into one generation's read tables, from the positions that the generation itself holds. */
export class Projector {
  private readonly context: BatchContext;

  constructor(private readonly options: ProjectorOptions) {
    const { db, generation, maxCommandBytes, dropFact } = options;
    this.context = {
      db,
      generation,
      maxCommandBytes,
      dropFact,
      known: new KnownKeys(100_000),
      days: new EventDays(db, generation.schema),
    };
  }

  /** Runs until `signal` aborts; the batch at hand is finished first. Throws where going on would be wrong. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.follow(signal);
      } catch (error) {
        // Another projector moved our positions: what it wrote stands, we go on from there.
        if (isFault(error) && error.code === 'database.fenced') continue;
        if (signal.aborted) return;
        if (!isRetriable(error)) throw error;
        await this.pause(error, 1, signal);
      }
    }
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const { log, logId, generation, db, batchRecords = 200 } = this.options;
    const positions = await positionsOf(db, generation.generation);
    const start = new Map<number, number>();
    for (const [partition, { logId: theirs, nextOffset }] of positions) {
      if (theirs !== logId) {
        throw new Fault('broken', 'projections.foreign-log', `the read tables belong to log ${theirs}, not ${logId}`);
      }
      start.set(partition, nextOffset);
    }
    const reader = log.reader(start);
    const limits = { maxRecords: batchRecords, maxBytes: readBytes };
    try {
      let next = reader.next(limits, signal);
      while (!signal.aborted) {
        const records = await next;
        if (records.length === 0) continue;
        next = reader.next(limits, signal);
        next.catch(() => undefined);
        for (const portion of portions(records)) {
          await this.apply(portion, signal);
          if (signal.aborted) return;
        }
      }
    } finally {
      await reader.close();
    }
  }

  /** Applies a run of records; one that fails for a reason of its own is found by halving and becomes a dead letter. */
  private async apply(records: readonly LogRecord[], signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return this.report(records, await applyBatch(this.context, records));
      } catch (error) {
        if (isFault(error) && error.code === 'database.fenced') throw error;
        if (isRetriable(error)) {
          await this.pause(error, attempt, signal);
          if (signal.aborted) return;
        } else if (records.length === 1) {
          const only = records[0] as LogRecord;
          return this.report(records, await applyBatch(this.context, records, new Map([[only, error]])));
        } else {
          const middle = records.length >> 1;
          await this.apply(records.slice(0, middle), signal);
          if (!signal.aborted) await this.apply(records.slice(middle), signal);
          return;
        }
      }
    }
  }

  private report(records: readonly LogRecord[], { deadLetters }: { deadLetters: readonly DeadLetter[] }): void {
    for (const letter of deadLetters) this.options.onDeadLetter?.(letter);
    this.options.onBatch?.(records.length);
  }

  private async pause(error: unknown, attempt: number, signal: AbortSignal): Promise<void> {
    const waitMs = Math.min(longestWaitMs, 50 * 2 ** Math.min(attempt, 10));
    this.options.onRetry?.(error, waitMs);
    await delay(waitMs, undefined, { signal }).catch(() => undefined);
  }
}
