import type { Limits } from '#limits';
import type { ErrorFields } from '#observe';
import type { RecoveryPlan } from '#projections';
import type { CurrentBatch } from './crash-recovery';
import type { BatchFigures, CommandFigures } from './metrics/batch-figures';
import type { Collection, ThreadFigures } from './metrics/thread-probe';
import type { LogLocation } from './log-location';

/**
 * Number of projectors in each thread. Each projector has a slot. While PostgreSQL writes the batch of one projector,
 * the other projector decodes its own batch.
 */
export const slotsPerThread = 2;
/**
 * Size of the connection pool of a thread. Each slot needs connections for writing, for reading the log and for sharing
 * partitions. Two more connections serve the thread itself.
 */
export const poolPerThread = 3 * slotsPerThread + 2;

/** Input of a projector thread. It says how to apply the commands in a log. */
export interface ProjectorTask {
  readonly connectionString: string;
  readonly log: LogLocation;
  readonly logId: string;
  /** See `ProjectorOptions`. */
  readonly maxCommandBytes: number;
  readonly limits: Limits;
  /** See `Settings`. */
  readonly factsBlocklist: readonly string[];
  /** See `ReplayContext`. */
  readonly keepsPast: boolean;
  readonly volatileFacts: readonly string[];
}

export interface ProjectorRun extends ProjectorTask {
  readonly recoveryPlan: RecoveryPlan;
}

/**
 * Messages from the projector thread. A message arrives even if the thread crashes right after it has sent the message.
 */
export type ProjectorMessage =
  | { readonly kind: 'running'; readonly generation: number }
  /** A slot has begun a batch. A slot has one batch at a time. */
  | { readonly kind: 'begin'; readonly slot: number; readonly batch: CurrentBatch }
  /** A slot has committed the first `records` records of its current batch. */
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
      /** Figures about the commands in the batch that the slot will retry. */
      readonly waiting: readonly CommandFigures[];
    }
  /**
   * The next offset to apply in each partition. It includes the progress of other projectors. The thread sends this
   * message only while there are suspects.
   */
  | { readonly kind: 'positions'; readonly positions: ReadonlyMap<number, number> }
  /**
   * Figures about the thread's heap and event loop, and its garbage collections since the last such message. The thread
   * sends this message every few seconds.
   */
  | { readonly kind: 'thread'; readonly figures: ThreadFigures; readonly collections: readonly Collection[] }
  | { readonly kind: 'failed'; readonly error: ErrorFields };

/**
 * Messages to the projector thread. `stop` asks the thread to stop after its current batches. `recovered` tells the
 * thread that no suspects are left.
 */
export const stopMessage = 'stop';
export const recoveredMessage = 'recovered';
