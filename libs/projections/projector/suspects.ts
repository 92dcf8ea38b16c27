import type { Database } from '#database';
import type { LogRecord } from '#log';
import { fatalRecord, FatalRecords } from '../dead-letters/fatal-records';
import type { RecoveryPlan } from './recovery-plan';

export class SuspectRecords {
  constructor(
    private readonly recoveryPlan: RecoveryPlan | undefined,
    private fatal: FatalRecords | undefined,
  ) {}

  async load(db: Pick<Database, 'query'>): Promise<void> {
    this.fatal ??= await FatalRecords.load(db);
  }

  /** Returns the records of the next batch. A record before `suspectsBefore` is alone in its batch. */
  firstBatch(records: readonly LogRecord[], most: number): readonly LogRecord[] {
    const before = this.recoveryPlan?.suspectsBefore;
    if (before === undefined) return records.slice(0, most);
    const suspect = records.findIndex(({ partition, offset }) => offset < (before.get(partition) ?? 0));
    return records.slice(0, suspect === 0 ? 1 : suspect < 0 ? most : Math.min(suspect, most));
  }

  rejected(batch: readonly LogRecord[]): Map<LogRecord, unknown> {
    const found = new Map<LogRecord, unknown>();
    const reject = this.recoveryPlan?.reject ?? [];
    for (const record of batch) {
      const entry = reject.find(({ partition, offset }) => partition === record.partition && offset === record.offset);
      if (entry !== undefined) found.set(record, fatalRecord(entry.reason));
      else if (this.fatal?.has(record) === true) found.set(record, fatalRecord());
    }
    return found;
  }
}
