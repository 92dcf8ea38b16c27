import { mayFitInSmallerPieces } from '#database';
import type { LogRecord } from '#log';
import { applyBatch, type BatchContext, type BatchResult } from '../batch';
import { KnownKeys } from '../known-keys';
import { BatchSize } from './batch-size';
import { pauseBeforeRetry } from './pause-before-retry';
import { isCollected, isDatabaseTrouble, isFenced, isRetired } from './projection-errors';
import type { ProjectorOptions } from './projector-options';
import type { SuspectRecords } from './suspects';

/** After this many attempts a batch that the database may find too large is made smaller. */
const attemptsAtFullSize = 3;
const rememberedKeys = 100_000;

/** Applies records in batches. A record that cannot be applied becomes a dead letter; trouble of the database is waited out. */
export class BatchApplier {
  private context: BatchContext;
  private readonly size: BatchSize;

  constructor(
    private readonly options: ProjectorOptions,
    batchRecords: number,
    private readonly suspects: SuspectRecords,
    private readonly onCommitted: (records: readonly LogRecord[]) => void,
  ) {
    this.context = this.newContext();
    this.size = new BatchSize(batchRecords);
  }

  /** Forgets what is known of the database's content: it may have lost some of it. */
  forget(): void {
    this.context = this.newContext();
  }

  /**
   * Applies a run of records, in order. A batch that fails because of a record is halved until that record is alone. Throws
   * where the generation or its positions belong to others now. After an abort it leaves the remaining records. With `yields`, it
   * also leaves them after a heavy batch, and returns true.
   */
  async apply(run: readonly LogRecord[], signal: AbortSignal, yields = false): Promise<boolean> {
    let left = run;
    for (let attempt = 1; left.length > 0; attempt++) {
      const batch = this.suspects.firstBatch(left, this.size.records);
      try {
        this.options.onBegin?.(batch);
        const result = await this.applyOnce(batch, this.suspects.rejected(batch));
        this.committed(batch.slice(0, result.applied), result);
        if (result.hasRemovals) await this.options.onReportsRemoved?.();
        left = left.slice(result.applied);
        attempt = 0;
        if (yields && result.isHeavy) return true;
      } catch (error) {
        if (isFenced(error) || isRetired(error)) throw error;
        if (isDatabaseTrouble(error)) {
          // After a failover another server may answer, which never got the shared rows that are remembered.
          this.forget();
          if (attempt >= attemptsAtFullSize && mayFitInSmallerPieces(error)) this.size.shrink(batch.length);
          await pauseBeforeRetry(error, attempt, signal, this.options.onRetry);
        } else if (batch.length === 1) {
          const only = batch[0] as LogRecord;
          this.committed(batch, await this.applyOnce(batch, new Map([[only, error]])));
          left = left.slice(1);
          attempt = 0;
        } else {
          const middle = batch.length >> 1;
          if (await this.apply(batch.slice(0, middle), signal, yields)) return true;
          if (!signal.aborted && (await this.apply(batch.slice(middle), signal, yields))) return true;
          left = left.slice(batch.length);
          attempt = 0;
        }
        if (signal.aborted) return false;
      }
    }
    return false;
  }

  /** Begins again where shared rows were collected meanwhile: a projector that remembers none of them cannot be refused. */
  private async applyOnce(
    batch: readonly LogRecord[],
    rejected: ReadonlyMap<LogRecord, unknown>,
  ): Promise<BatchResult> {
    try {
      return await applyBatch(this.context, batch, rejected);
    } catch (error) {
      if (!isCollected(error)) throw error;
      this.forget();
      return applyBatch(this.context, batch, rejected);
    }
  }

  private committed(records: readonly LogRecord[], { deadLetters, outcomes }: BatchResult): void {
    this.onCommitted(records);
    this.size.succeeded();
    for (const letter of deadLetters) this.options.onDeadLetter?.(letter);
    this.options.onBatch?.(records.length, outcomes);
  }

  private newContext(): BatchContext {
    const { db, generation, maxCommandBytes, limits, dropFact, keepDeadLetters, memory, onStep } = this.options;
    return {
      db,
      generation,
      maxCommandBytes,
      limits,
      dropFact,
      keepDeadLetters,
      memory,
      onStep,
      known: new KnownKeys(rememberedKeys),
    };
  }
}
