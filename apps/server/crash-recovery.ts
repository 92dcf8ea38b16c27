import type { RecoveryPlan } from '#projections';

export interface CurrentBatch {
  readonly records: number;
  readonly ranges: readonly { readonly partition: number; readonly first: number; readonly last: number }[];
}

/** If the thread crashes more often than this without applying a record, the pauses between restarts grow. */
const mostQuickEnds = 20;

/**
 * Decides how a projector thread continues after a crash (out of memory, an uncaught error). The records of the
 * interrupted batches become suspects. Each projector of the thread has a slot, and after a crash only one slot applies
 * records: the suspects, one by one. If the thread crashes again while it applies a single suspect, this suspect is
 * rejected.
 */
export class CrashRecovery {
  /** The current batch of each slot. */
  private readonly atHand = new Map<number, CurrentBatch>();
  private readonly suspectsBefore = new Map<number, number>();
  private reject: RecoveryPlan['reject'] = [];
  /** Number of crashes since a record was applied successfully. */
  private ends = 0;

  /** A record stays a suspect until a projector commits this record or a later record in its partition. */
  get recovering(): boolean {
    return this.suspectsBefore.size > 0;
  }

  get working(): boolean {
    return this.atHand.size > 0;
  }

  /** Returns false after many consecutive crashes, because a single record is then probably not the cause. */
  get isQuick(): boolean {
    return this.ends <= mostQuickEnds;
  }

  get recoveryPlan(): RecoveryPlan {
    return { suspectsBefore: new Map(this.suspectsBefore), reject: this.reject };
  }

  begin(slot: number, batch: CurrentBatch): void {
    this.atHand.set(slot, batch);
  }

  /**
   * `records` is the number of committed records, counted from the start of the batch. Rejected records are included.
   */
  committed(slot: number, records: number): void {
    const batch = this.atHand.get(slot);
    this.atHand.delete(slot);
    if (batch === undefined) return;
    if (!this.isRejected(batch)) this.ends = 0;
    if (records < batch.records) return;
    for (const { partition, last } of batch.ranges) {
      if (last + 1 >= (this.suspectsBefore.get(partition) ?? 0)) this.suspectsBefore.delete(partition);
      this.reject = this.reject.filter((position) => position.partition !== partition || position.offset > last);
    }
  }

  /** `positions` contains the next offset to apply in each partition. The progress of other processes is included. */
  reached(positions: ReadonlyMap<number, number>): void {
    const isPassed = (partition: number, offset: number): boolean => offset <= (positions.get(partition) ?? 0);
    for (const [partition, before] of this.suspectsBefore) {
      if (isPassed(partition, before)) this.suspectsBefore.delete(partition);
    }
    this.reject = this.reject.filter(({ partition, offset }) => !isPassed(partition, offset + 1));
  }

  /** Call this method if the thread itself reported the error. Such an error makes no record a suspect. */
  failed(): void {
    this.atHand.clear();
  }

  /** Call this method after a crash. Returns the number of records in the current batches. */
  ended(reason: string): number {
    const batches = [...this.atHand.values()];
    this.atHand.clear();
    this.ends += 1;
    const records = batches.reduce((sum, batch) => sum + batch.records, 0);
    const ranges = batches.flatMap((batch) => batch.ranges);
    const [only] = records === 1 ? ranges : [];
    if (only !== undefined && only.first < (this.suspectsBefore.get(only.partition) ?? 0)) {
      this.reject = [...this.reject, { partition: only.partition, offset: only.first, reason }];
    } else {
      for (const { partition, last } of ranges) {
        this.suspectsBefore.set(partition, Math.max(last + 1, this.suspectsBefore.get(partition) ?? 0));
      }
    }
    return records;
  }

  private isRejected({ records, ranges }: CurrentBatch): boolean {
    const [only] = ranges;
    return (
      records === 1 &&
      this.reject.some(({ partition, offset }) => partition === only?.partition && offset === only.first)
    );
  }
}
