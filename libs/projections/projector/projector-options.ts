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
  readonly log: Pick<CommandLog, 'reader'>;
  /** Shares the partitions with the other projectors of this name. Absent: reads all partitions. */
  readonly group?: string;
  /** Offsets at which to stop. Other partitions are not read. Not with `group`. */
  readonly until?: ReadonlyMap<number, number>;
  /** Id of the log that the positions must belong to. */
  readonly logId: string;
  /** Called with each committed dead letter, for logs. */
  readonly onDeadLetter?: (letter: DeadLetter) => void;
  /** Called when a batch must wait for the database. */
  readonly onRetry?: (error: unknown, waitMs: number) => void;
  /** Called with the records of a batch before the projector works on them. It then applies all of them, or only the first ones. */
  readonly onBegin?: (records: readonly LogRecord[]) => void;
  /** Called after each committed batch with the outcomes of its records. */
  readonly onBatch?: (records: number, outcomes: readonly RecordOutcome[]) => void;
  /** Called and awaited after an age limit was applied whose reports must be deleted (`deleteRemovedRows`). */
  readonly onReportsRemoved?: () => Promise<void>;
  /** Called every few seconds with the next offset to apply in each partition. Other projectors may have moved it. */
  readonly onPositions?: (positions: ReadonlyMap<number, number>) => void;
  /** Limit of records in a batch; default 200. */
  readonly batchRecords?: number;
  /** Plan after an abnormal end of the previous projector. */
  readonly recoveryPlan?: RecoveryPlan;
  /** Replaces the fatal records in the database, for a copy of a log. */
  readonly fatal?: FatalRecords;
}
