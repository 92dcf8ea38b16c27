import type { LogRecord } from '#log';

/**
 * Decides which partitions come first. A partition whose last batch was heavy waits until the records of the other
 * partitions are applied, so that a backlog of one partition does not delay the others. The order within a partition
 * never changes.
 */
export class PartitionTurns {
  /** Partitions whose last batch was heavy. The one that has waited longest is the first. */
  private readonly heavy = new Set<number>();

  /** Divides the records of a read into parts that are applied one after the other. */
  inOrder(records: readonly LogRecord[]): (readonly LogRecord[])[] {
    if (this.heavy.size === 0) return [records];
    const others = records.filter(({ partition }) => !this.heavy.has(partition));
    const own = [...this.heavy].map((heavy) => records.filter(({ partition }) => partition === heavy));
    return [others, ...own].filter((part) => part.length > 0);
  }

  /** Call it after a part was applied. `isHeavy`: one of its batches was heavy. */
  applied(part: readonly LogRecord[], isHeavy: boolean): void {
    for (const partition of new Set(part.map((record) => record.partition))) {
      this.heavy.delete(partition);
      if (isHeavy) this.heavy.add(partition);
    }
  }
}
