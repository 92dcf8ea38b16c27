import type { Limits } from '#limits';
import type { ErrorFields } from '#observe';
import type { RecoveryPlan } from '#projections';
import type { CurrentBatch } from './crash-recovery';
import type { BatchFigures, CommandFigures } from './metrics/batch-figures';
import type { Collection, ThreadFigures } from './metrics/thread-probe';
import type { LogPlace } from './log-place';

/** What the projector's thread is started with. */
export interface ProjectorTask {
  readonly connectionString: string;
  readonly log: LogPlace;
  /** Identity of the log as this process found it. */
  readonly logId: string;
  /** As of ProjectorOptions. */
  readonly maxCommandBytes: number;
  readonly limits: Limits;
  /** As of Settings. */
  readonly factsBlocklist: readonly string[];
}

/** The task of one run of the thread. */
export interface ProjectorRun extends ProjectorTask {
  readonly recoveryPlan: RecoveryPlan;
}

/** Messages from the thread. They arrive even if the thread dies right after it sent them. */
export type ProjectorMessage =
  | { readonly kind: 'running'; readonly generation: number }
  /** The work of a batch begins. */
  | { readonly kind: 'begin'; readonly batch: CurrentBatch }
  /** The first records of that batch are committed. */
  | { readonly kind: 'committed'; readonly records: number; readonly figures: BatchFigures }
  | {
      readonly kind: 'dead-letter';
      readonly uuid: string;
      readonly command: string;
      readonly certname: string;
      readonly error: ErrorFields;
    }
  | {
      readonly kind: 'retry';
      readonly waitMs: number;
      readonly error: ErrorFields;
      /** What waits. */
      readonly waiting: readonly CommandFigures[];
    }
  /** Of its heap and event loop, every few seconds; and what was collected since the last time. */
  | { readonly kind: 'thread'; readonly figures: ThreadFigures; readonly collections: readonly Collection[] }
  | { readonly kind: 'failed'; readonly error: ErrorFields };

/** The only message to the thread. */
export const stopMessage = 'stop';
