import type { LogRecord } from '#log';

/**
 * Chooses the order of partitions. A partition whose last batch was heavy (`BatchResult.isHeavy`) comes after the other
 * partitions, so that its backlog does not delay them. The order of the records in a partition never changes.
 */
export class PartitionTurns {
  /** Partitions whose last batch was heavy, longest waiting first. */
  private readonly heavy = new Set<number>();

  /** The caller must apply the parts one after another. */
  inOrder(records: readonly LogRecord[]): (readonly LogRecord[])[] {
    if (this.heavy.size === 0) return [records];
    const others = records.filter(({ partition }) => !this.heavy.has(partition));
    const own = [...this.heavy].map((heavy) => records.filter(({ partition }) => partition === heavy));
    return [others, ...own].filter((part) => part.length > 0);
  }

  /** Must be called after each applied part. `isHeavy` is true if a batch of the part was heavy. */
  applied(part: readonly LogRecord[], isHeavy: boolean): void {
    for (const partition of new Set(part.map((record) => record.partition))) {
      this.heavy.delete(partition);
      if (isHeavy) this.heavy.add(partition);
    }
  }
}
