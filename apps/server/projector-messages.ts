import type { Limits } from '#limits';
import type { ErrorFields } from '#observe';
import type { RecoveryPlan } from '#projections';
import type { CurrentBatch } from './crash-recovery';
import type { BatchFigures, CommandFigures } from './metrics/batch-figures';
import type { Collection, ThreadFigures } from './metrics/thread-probe';
import type { LogPlace } from './log-place';

/** One worker decodes its batch while PostgreSQL writes the batch of the other. */
export const lanesPerThread = 2;
/** Each worker writes, reads the log and shares partitions. The thread reads the state of its tables. */
export const poolPerThread = 3 * lanesPerThread + 2;

/** Task of a projector thread. */
export interface ProjectorTask {
  readonly connectionString: string;
  readonly log: LogPlace;
  /** Id of the log. */
  readonly logId: string;
  /** See ProjectorOptions. */
  readonly maxCommandBytes: number;
  readonly limits: Limits;
  /** See Settings. */
  readonly factsBlocklist: readonly string[];
  /** See ReplayContext. */
  readonly keepsPast: boolean;
  readonly volatileFacts: readonly string[];
}

/** Task of one run of the thread. */
export interface ProjectorRun extends ProjectorTask {
  readonly recoveryPlan: RecoveryPlan;
}

/** Messages of the thread. They arrive even if the thread crashes right after it sent them. */
export type ProjectorMessage =
  | { readonly kind: 'running'; readonly generation: number }
  /** A worker begins a batch. Each worker has one batch at a time. */
  | { readonly kind: 'begin'; readonly lane: number; readonly batch: CurrentBatch }
  /** The first records of that batch are committed. */
  | { readonly kind: 'committed'; readonly lane: number; readonly records: number; readonly figures: BatchFigures }
  | {
      readonly kind: 'dead-letter';
      readonly uuid: string;
      readonly command: string;
      readonly certname: string;
      readonly error: ErrorFields;
    }
  | {
      readonly kind: 'retry';
      readonly lane: number;
      readonly waitMs: number;
      readonly error: ErrorFields;
      /** Figures of the waiting commands. */
      readonly waiting: readonly CommandFigures[];
    }
  /** The next offset to apply in each partition, while there are suspects. Other projectors may have applied them. */
  | { readonly kind: 'positions'; readonly positions: ReadonlyMap<number, number> }
  /** Figures of its heap and event loop, and of garbage collections, every few seconds. */
  | { readonly kind: 'thread'; readonly figures: ThreadFigures; readonly collections: readonly Collection[] }
  | { readonly kind: 'failed'; readonly error: ErrorFields };

/** Messages to the thread: stop after the current batches; no record is a suspect any more. */
export const stopMessage = 'stop';
export const recoveredMessage = 'recovered';
