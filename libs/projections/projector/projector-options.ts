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
  /**
   * Name of the group of projectors that share the partitions. If the name is absent, the projector reads all
   * partitions.
   */
  readonly group?: string;
  /** Offsets at which the projector stops. Partitions without an offset are not read. Cannot be used with `group`. */
  readonly until?: ReadonlyMap<number, number>;
  /** Id of the log to which the positions must belong. */
  readonly logId: string;
  readonly onDeadLetter?: (letter: DeadLetter) => void;
  readonly onRetry?: (error: unknown, waitMs: number) => void;
  /**
   * Called with the records of a batch before the projector reads their payloads. The projector may apply only the
   * first of them.
   */
  readonly onBegin?: (records: readonly LogRecord[]) => void;
  readonly onBatch?: (records: number, outcomes: readonly RecordOutcome[]) => void;
  /** Awaited after an age limit has removed reports, which `deleteRemovedRows` must delete. */
  readonly onReportsRemoved?: () => Promise<void>;
  /**
   * Called every few seconds with the next offset to apply in each partition. Other projectors may have moved these
   * offsets.
   */
  readonly onPositions?: (positions: ReadonlyMap<number, number>) => void;
  /** Limit on the records in a batch. Default: 200. */
  readonly batchRecords?: number;
  readonly recoveryPlan?: RecoveryPlan;
  /** Fatal records in a copy of a log. They replace the fatal records in the database. */
  readonly fatal?: FatalRecords;
}
