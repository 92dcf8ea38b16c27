import type { LogRecord } from '#log';

/**
 * Chooses the order of partitions. A partition whose last batch was heavy comes after the other partitions, so that the
 * backlog of one partition does not delay the others. The order of records within a partition never changes.
 */
export class PartitionTurns {
  /** Partitions whose last batch was heavy, longest waiting first. */
  private readonly heavy = new Set<number>();

  /** Divides the records from one read into parts, which must be applied one after another. */
  inOrder(records: readonly LogRecord[]): (readonly LogRecord[])[] {
    if (this.heavy.size === 0) return [records];
    const others = records.filter(({ partition }) => !this.heavy.has(partition));
    const own = [...this.heavy].map((heavy) => records.filter(({ partition }) => partition === heavy));
    return [others, ...own].filter((part) => part.length > 0);
  }

  /** Must be called after each applied part. `isHeavy` is true if one of its batches was heavy. */
  applied(part: readonly LogRecord[], isHeavy: boolean): void {
    for (const partition of new Set(part.map((record) => record.partition))) {
      this.heavy.delete(partition);
      if (isHeavy) this.heavy.add(partition);
    }
  }
}
