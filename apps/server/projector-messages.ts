import type { Limits } from '#limits';
import type { ErrorFields } from '#observe';
import type { RecoveryPlan } from '#projections';
import type { CurrentBatch } from './crash-recovery';
import type { BatchFigures, CommandFigures } from './metrics/batch-figures';
import type { Collection, ThreadFigures } from './metrics/thread-probe';
import type { LogPlace } from './log-place';

/** A lane decodes its batch while PostgreSQL works on the batch of the other one. */
export const lanesPerThread = 2;
/** Each lane writes, reads the log and shares partitions. The thread reads its tables' state. */
export const poolPerThread = 3 * lanesPerThread + 2;

/** What the projector's thread is started with. */
export interface ProjectorTask {
  readonly connectionString: string;
  readonly log: LogPlace;
  /** Identity of the log as this process found it. */
  readonly logId: string;
  /** As in ProjectorOptions. */
  readonly maxCommandBytes: number;
  readonly limits: Limits;
  /** As in Settings. */
  readonly factsBlocklist: readonly string[];
}

/** The task of one run of the thread. */
export interface ProjectorRun extends ProjectorTask {
  readonly recoveryPlan: RecoveryPlan;
}

/** Messages from the thread. They arrive even if the thread dies right after it sent them. */
export type ProjectorMessage =
  | { readonly kind: 'running'; readonly generation: number }
  /** A lane starts a batch. Each lane works on one batch at a time. */
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
      /** What waits. */
      readonly waiting: readonly CommandFigures[];
    }
  /** The next offset to apply in each partition, while there are suspects: other projectors may have applied them. */
  | { readonly kind: 'positions'; readonly positions: ReadonlyMap<number, number> }
  /** Of its heap and event loop, every few seconds; and what was collected since the last time. */
  | { readonly kind: 'thread'; readonly figures: ThreadFigures; readonly collections: readonly Collection[] }
  | { readonly kind: 'failed'; readonly error: ErrorFields };

/** Messages to the thread: to stop after the current batches; and that no record is a suspect any more. */
export const stopMessage = 'stop';
export const recoveredMessage = 'recovered';
