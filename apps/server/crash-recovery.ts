import type { Caution } from '#projections';

/** The records of a batch, by partition; offsets of the first and the last. Plain data. */
export interface BatchAtHand {
  readonly records: number;
  readonly ranges: readonly { readonly partition: number; readonly first: number; readonly last: number }[];
}

/** The pause stays short for this many abnormal ends without an applied record between them. */
const mostQuickEnds = 20;

/**
 * Decides how a projector goes on after abnormal ends of the one before it (out of memory, an error that nothing caught).
 * The records of the current batch are suspect: they are applied one by one. A suspect that is alone at another abnormal end has
 * done it twice and is to be rejected.
 */
export class CrashRecovery {
  private atHand: BatchAtHand | undefined;
  private readonly suspectsBefore = new Map<number, number>();
  private reject: Caution['reject'] = [];
  /** Abnormal ends since a record was last applied that is not to be rejected. */
  private ends = 0;

  /**
   * Whether suspects are left. They stay until records at or behind them are committed, however long that takes: the next
   * projector may have to join a group of readers first. Where another process has applied them, they harm nobody.
   */
  get recovering(): boolean {
    return this.suspectsBefore.size > 0;
  }

  get working(): boolean {
    return this.atHand !== undefined;
  }

  /** Whether to go on at once: short of many ends in a row, which are no matter of single records. */
  get isQuick(): boolean {
    return this.ends <= mostQuickEnds;
  }

  /** What the next projector is to be told. */
  get caution(): Caution {
    return { suspectsBefore: new Map(this.suspectsBefore), reject: this.reject };
  }

  begin(batch: BatchAtHand): void {
    this.atHand = batch;
  }

  /** The first `records` of the current batch are applied or rejected. */
  committed(records: number): void {
    const batch = this.atHand;
    this.atHand = undefined;
    if (batch === undefined) return;
    if (!this.isRejected(batch)) this.ends = 0;
    // The rest of the batch comes again.
    if (records < batch.records) return;
    for (const { partition, last } of batch.ranges) {
      if (last + 1 >= (this.suspectsBefore.get(partition) ?? 0)) this.suspectsBefore.delete(partition);
      this.reject = this.reject.filter((place) => place.partition !== partition || place.offset > last);
    }
  }

  /** The projector ended with an error that it told: no record did it. */
  failed(): void {
    this.atHand = undefined;
  }

  /** The projector ended abnormally. Returns how many records it was working on. */
  ended(reason: string): number {
    const batch = this.atHand;
    this.atHand = undefined;
    this.ends += 1;
    if (batch === undefined) return 0;
    const [only] = batch.records === 1 ? batch.ranges : [];
    if (only !== undefined && only.first < (this.suspectsBefore.get(only.partition) ?? 0)) {
      this.reject = [...this.reject, { partition: only.partition, offset: only.first, reason }];
    } else {
      for (const { partition, last } of batch.ranges) {
        this.suspectsBefore.set(partition, Math.max(last + 1, this.suspectsBefore.get(partition) ?? 0));
      }
    }
    return batch.records;
  }

  private isRejected({ records, ranges }: BatchAtHand): boolean {
    const [only] = ranges;
    return (
      records === 1 &&
      this.reject.some(({ partition, offset }) => partition === only?.partition && offset === only.first)
    );
  }
}
