import type { RecoveryPlan } from '#projections';

/** The records of a batch: first and last offset by partition. */
export interface CurrentBatch {
  readonly records: number;
  readonly ranges: readonly { readonly partition: number; readonly first: number; readonly last: number }[];
}

/** After more crashes in a row than this, the projector restarts with a pause. */
const mostQuickEnds = 20;

/**
 * Decides how a projector thread continues after a crash (out of memory, an uncaught error). The records of its current
 * batches become suspects, and one worker applies them one by one. If the thread crashes again on a single suspect, that
 * record is rejected.
 */
export class CrashRecovery {
  /** The current batch of each worker. */
  private readonly atHand = new Map<number, CurrentBatch>();
  private readonly suspectsBefore = new Map<number, number>();
  private reject: RecoveryPlan['reject'] = [];
  /** Number of crashes since a record was applied. */
  private ends = 0;

  /**
   * Whether there are suspects. A suspect remains one until it, or a later record of its partition, is committed. That
   * may take long, because another projector may have the partition now.
   */
  get recovering(): boolean {
    return this.suspectsBefore.size > 0;
  }

  get working(): boolean {
    return this.atHand.size > 0;
  }

  /** Whether to restart at once. After many crashes in a row, single records are not the cause. */
  get isQuick(): boolean {
    return this.ends <= mostQuickEnds;
  }

  /** Plan for the next projector. */
  get recoveryPlan(): RecoveryPlan {
    return { suspectsBefore: new Map(this.suspectsBefore), reject: this.reject };
  }

  begin(lane: number, batch: CurrentBatch): void {
    this.atHand.set(lane, batch);
  }

  /**
   * Call it after a worker commits. `records` is the number of records, from the start of its current batch, that were
   * applied or rejected.
   */
  committed(lane: number, records: number): void {
    const batch = this.atHand.get(lane);
    this.atHand.delete(lane);
    if (batch === undefined) return;
    if (!this.isRejected(batch)) this.ends = 0;
    // The rest of the batch is read again.
    if (records < batch.records) return;
    for (const { partition, last } of batch.ranges) {
      if (last + 1 >= (this.suspectsBefore.get(partition) ?? 0)) this.suspectsBefore.delete(partition);
      this.reject = this.reject.filter((place) => place.partition !== partition || place.offset > last);
    }
  }

  /** All records below these positions are applied, by any projector. */
  reached(positions: ReadonlyMap<number, number>): void {
    const isPassed = (partition: number, offset: number): boolean => offset <= (positions.get(partition) ?? 0);
    for (const [partition, before] of this.suspectsBefore) {
      if (isPassed(partition, before)) this.suspectsBefore.delete(partition);
    }
    this.reject = this.reject.filter(({ partition, offset }) => !isPassed(partition, offset + 1));
  }

  /** The projector ended with an error that it reported itself. No record caused it. */
  failed(): void {
    this.atHand.clear();
  }

  /** The projector crashed. Returns how many records it was working on. */
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
