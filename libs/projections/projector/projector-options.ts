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
  /** Projectors with this group name share the partitions. Default: the projector reads all partitions. */
  readonly group?: string;
  /** Offsets at which the projector stops. Partitions without an offset are not read. Cannot be used with `group`. */
  readonly until?: ReadonlyMap<number, number>;
  readonly logId: string;
  readonly onDeadLetter?: (letter: DeadLetter) => void;
  readonly onRetry?: (error: unknown, waitMs: number) => void;
  /**
   * Called before the projector reads the payloads. The batch can end early and apply only the first of these records.
   */
  readonly onBegin?: (records: readonly LogRecord[]) => void;
  readonly onBatch?: (records: number, outcomes: readonly RecordOutcome[]) => void;
  /**
   * The projector calls this function after a batch that leaves rows for `deleteRemovedRows` to delete, and waits for
   * its promise.
   */
  readonly onReportsRemoved?: () => Promise<void>;
  /** Called every few seconds with the next offset to apply in each partition. */
  readonly onPositions?: (positions: ReadonlyMap<number, number>) => void;
  readonly batchRecords?: number;
  readonly recoveryPlan?: RecoveryPlan;
  /** Fatal records in a copy of a log. They replace the fatal records in the database. */
  readonly fatal?: FatalRecords;
}
