import type { Operation } from '../../service/shapes';

export interface Rates {
  /** Records per second. */
  readonly accepted: number;
  readonly applied: number;
  readonly partitions: ReadonlyMap<number, number>;
}

/** The rate of a partition is 0 if the earlier answer does not contain the partition. */
export function ratesOf(before: Operation, now: Operation): Rates {
  const seconds = Math.max(0.001, (new Date(now.at).getTime() - new Date(before.at).getTime()) / 1000);
  const earlier = new Map(before.partitions.map((one) => [one.partition, one]));
  const partitions = new Map<number, number>();
  let accepted = 0;
  for (const { partition, applied, end } of now.partitions) {
    const old = earlier.get(partition);
    partitions.set(partition, Math.max(0, applied - (old?.applied ?? applied)) / seconds);
    accepted += Math.max(0, end - (old?.end ?? end)) / seconds;
  }
  const applied = [...partitions.values()].reduce((sum, rate) => sum + rate, 0);
  return { accepted, applied, partitions };
}
