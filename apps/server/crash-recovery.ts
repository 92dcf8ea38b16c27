import type { RecoveryPlan } from '#projections';

/** Describes the records in a batch: their number, and their first and last offset in each partition. */
export interface CurrentBatch {
  readonly records: number;
  readonly ranges: readonly { readonly partition: number; readonly first: number; readonly last: number }[];
}

/** Number of consecutive crashes after which the projector restarts with a pause. */
const mostQuickEnds = 20;

/**
 * Decides how a projector thread continues after a crash (out of memory, an uncaught error). The records of the current
 * batches become suspects, and one slot applies the suspects one by one. If the thread crashes again while it applies
 * a single suspect, that suspect is rejected.
 */
export class CrashRecovery {
  /** The current batch of each slot. */
  private readonly atHand = new Map<number, CurrentBatch>();
  private readonly suspectsBefore = new Map<number, number>();
  private reject: RecoveryPlan['reject'] = [];
  /** Number of crashes since a record was applied successfully. */
  private ends = 0;

  /**
   * Whether there are suspects. A record stays a suspect until a projector commits it, or commits a later record of its
   * partition. This can take a long time if another projector now owns the partition.
   */
  get recovering(): boolean {
    return this.suspectsBefore.size > 0;
  }

  get working(): boolean {
    return this.atHand.size > 0;
  }

  /**
   * Whether the projector should restart at once. After many consecutive crashes, a single record is probably not the
   * cause.
   */
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
   * Call it when a slot has committed the first `records` records of its current batch. The number includes rejected
   * records.
   */
  committed(slot: number, records: number): void {
    const batch = this.atHand.get(slot);
    this.atHand.delete(slot);
    if (batch === undefined) return;
    if (!this.isRejected(batch)) this.ends = 0;
    // The slot committed only a part of the batch, and will read the remaining records again.
    if (records < batch.records) return;
    for (const { partition, last } of batch.ranges) {
      if (last + 1 >= (this.suspectsBefore.get(partition) ?? 0)) this.suspectsBefore.delete(partition);
      this.reject = this.reject.filter((place) => place.partition !== partition || place.offset > last);
    }
  }

  /**
   * Call it with the positions that the projectors of all processes have reached: `positions` maps each partition to
   * the next offset to apply. Records before these positions are no longer suspects.
   */
  reached(positions: ReadonlyMap<number, number>): void {
    const isPassed = (partition: number, offset: number): boolean => offset <= (positions.get(partition) ?? 0);
    for (const [partition, before] of this.suspectsBefore) {
      if (isPassed(partition, before)) this.suspectsBefore.delete(partition);
    }
    this.reject = this.reject.filter(({ partition, offset }) => !isPassed(partition, offset + 1));
  }

  /**
   * Call it when the projector has ended with an error that it reported itself. Such an error makes no record a
   * suspect.
   */
  failed(): void {
    this.atHand.clear();
  }

  /**
   * Call it when the projector has crashed. The records of the current batches become suspects, but a suspect that was
   * applied alone is rejected. Returns the number of records in the current batches.
   */
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
