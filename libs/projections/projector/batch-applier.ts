import { mayFitInSmallerPieces } from '#database';
import type { LogRecord } from '#log';
import { applyBatch, type BatchContext, type BatchResult } from '../batch';
import { KnownKeys } from '../known-keys';
import { BatchSize } from './batch-size';
import { pauseBeforeRetry } from './pause-before-retry';
import { isCollected, isDatabaseTrouble, isFenced, isRetired } from './projection-errors';
import type { ProjectorOptions } from './projector-options';
import type { SuspectRecords } from './suspects';

/** After this number of failed attempts, a batch is divided if it may be too large for PostgreSQL. */
const attemptsAtFullSize = 3;
const rememberedKeys = 100_000;

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

  /** Empties the cache of keys, because PostgreSQL may have lost some of the cached rows. */
  forget(): void {
    this.context = this.newContext();
  }

  /**
   * If a batch fails because of a record, halves the batch repeatedly, until the record is alone in its batch and
   * becomes a dead letter. Throws if another projector has moved the positions, or if the generation must not be filled
   * any more. If `yields` is true and a batch was heavy (`BatchResult.isHeavy`), skips the remaining records and
   * returns true.
   */
  async apply(run: readonly LogRecord[], signal: AbortSignal, yields = false): Promise<boolean> {
    let left = run;
    for (let attempt = 1; left.length > 0; attempt++) {
      const batch = this.suspects.firstBatch(left, this.size.records);
      let [isHeavy, hasRemovals] = [false, false];
      try {
        this.options.onBegin?.(batch);
        const result = await this.applyOnce(batch, this.suspects.rejected(batch));
        ({ isHeavy, hasRemovals } = result);
        this.committed(batch.slice(0, result.applied), result);
        left = left.slice(result.applied);
        attempt = 0;
      } catch (error) {
        if (isFenced(error) || isRetired(error)) throw error;
        if (isDatabaseTrouble(error)) {
          // After a failover, the new server can lack shared rows that are in the cache.
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
      // The batch is already committed. This call must not be inside the try block, because its failure there would
      // cause the batch to be applied again.
      if (hasRemovals) await this.reportsRemoved(signal);
      if (yields && isHeavy) return true;
    }
    return false;
  }

  private async reportsRemoved(signal: AbortSignal): Promise<void> {
    const { onReportsRemoved, onRetry } = this.options;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        return await onReportsRemoved?.();
      } catch (error) {
        if (!isDatabaseTrouble(error)) throw error;
        await pauseBeforeRetry(error, attempt, signal, onRetry);
      }
    }
  }

  /**
   * If cached shared rows were deleted, applies the batch again with an empty cache. The second attempt cannot fail for
   * this reason.
   */
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
