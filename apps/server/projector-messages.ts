import type { Limits } from '#limits';
import type { ErrorFields } from '#observe';
import type { RecoveryPlan } from '#projections';
import type { CurrentBatch } from './crash-recovery';
import type { BatchFigures, CommandFigures } from './metrics/batch-figures';
import type { Collection, ThreadFigures } from './metrics/thread-probe';
import type { LogLocation } from './log-location';

/**
 * Each projector of a thread has a slot. While PostgreSQL writes the batch of one projector, the other projector
 * decodes its own batch.
 */
export const slotsPerThread = 2;
/**
 * Each slot needs connections for writing, for reading the log and for sharing partitions. The thread itself needs two.
 */
export const poolPerThread = 3 * slotsPerThread + 2;

export interface ProjectorTask {
  readonly connectionString: string;
  readonly log: LogLocation;
  readonly logId: string;
  readonly limits: Limits;
  readonly factsBlocklist: readonly string[];
  readonly keepsPast: boolean;
  readonly volatileFacts: readonly string[];
}

export interface ProjectorRun extends ProjectorTask {
  readonly recoveryPlan: RecoveryPlan;
}

/** A message arrives even if the thread crashes right after it has sent the message. */
export type ProjectorMessage =
  | { readonly kind: 'running'; readonly generation: number }
  | { readonly kind: 'begin'; readonly slot: number; readonly batch: CurrentBatch }
  /** The slot has committed the first `records` records of its current batch. */
  | { readonly kind: 'committed'; readonly slot: number; readonly records: number; readonly figures: BatchFigures }
  | {
      readonly kind: 'dead-letter';
      readonly uuid: string;
      readonly command: string;
      readonly certname: string;
      readonly error: ErrorFields;
    }
  | {
      readonly kind: 'retry';
      readonly slot: number;
      readonly waitMs: number;
      readonly error: ErrorFields;
      readonly waiting: readonly CommandFigures[];
    }
  /**
   * The next offset to apply in each partition, including the progress of other projectors. The thread sends this
   * message only while there are suspects.
   */
  | { readonly kind: 'positions'; readonly positions: ReadonlyMap<number, number> }
  /** The thread sends this message every few seconds, with the garbage collections since the previous message. */
  | { readonly kind: 'thread'; readonly figures: ThreadFigures; readonly collections: readonly Collection[] }
  | { readonly kind: 'failed'; readonly error: ErrorFields };

/**
 * Messages to the projector thread. `stopMessage` means that the thread must stop after its current batches.
 * `recoveredMessage` means that no suspects are left.
 */
export const stopMessage = 'stop';
export const recoveredMessage = 'recovered';
