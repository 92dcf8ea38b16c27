import type { CommandLog, LogRecord } from '#log';
import type { BatchContext } from '../batch';
import type { DeadLetter } from '../dead-letters';
import type { FatalRecords } from '../dead-letters/fatal-records';
import type { RecordOutcome } from '../record-outcomes';
import type { RecoveryPlan } from './recovery-plan';

export interface ProjectorOptions extends Pick<
  BatchContext,
  'db' | 'generation' | 'maxCommandBytes' | 'limits' | 'dropFact' | 'keepDeadLetters' | 'memory' | 'onStep'
> {
  readonly log: Pick<CommandLog, 'reader' | 'follower'> | Pick<CommandLog, 'reader'>;
  /** Shares the partitions with the other projectors of this name. Without it, the projector reads all partitions. */
  readonly group?: string;
  /** For each partition the offset at which to stop; partitions that it does not name are not read. Not with `group`. */
  readonly until?: ReadonlyMap<number, number>;
  /** Identity of the log that the positions must belong to. */
  readonly logId: string;
  /** Called with each dead letter, once it is committed: an alarm, never a decision. */
  readonly onDeadLetter?: (letter: DeadLetter) => void;
  /** Called when a batch has to wait for the database. */
  readonly onRetry?: (error: unknown, waitMs: number) => void;
  /** Called with the records of a batch before the projector works on them. It then applies all of them, or only the first ones. */
  readonly onBegin?: (records: readonly LogRecord[]) => void;
  /** Called after each committed batch, with what became of each of its records. */
  readonly onBatch?: (records: number, outcomes: readonly RecordOutcome[]) => void;
  /** Called, and waited for, when an age limit was applied whose reports are still to be deleted (`deleteRemovedRows`). */
  readonly onReportsRemoved?: () => Promise<void>;
  /** Called with the next offset to apply in each partition, every few seconds. Other projectors may have moved it. */
  readonly onPositions?: (positions: ReadonlyMap<number, number>) => void;
  /** Most records of one batch; default 200. */
  readonly batchRecords?: number;
  /** What is known of an abnormal end of the projector before this one. */
  readonly recoveryPlan?: RecoveryPlan;
  /** Replaces the records that the database knows to be fatal, where the log is a copy of another one. */
  readonly fatal?: FatalRecords;
}
