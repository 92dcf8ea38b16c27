import type { WireEvent } from '#wire';

export interface ClassCount {
  readonly containingClass: string | null;
  successes: number;
  failures: number;
  noops: number;
  skips: number;
  correctiveSuccesses: number;
  correctiveNoops: number;
}

export function countEvents(events: readonly WireEvent[]): ClassCount[] {
  const counts = new Map<string | null, ClassCount>();
  for (const { containingClass, status, correctiveChange } of events) {
    let count = counts.get(containingClass);
    if (count === undefined) {
      count = {
        containingClass,
        successes: 0,
        failures: 0,
        noops: 0,
        skips: 0,
        correctiveSuccesses: 0,
        correctiveNoops: 0,
      };
      counts.set(containingClass, count);
    }
    if (status === 'success') count.successes++;
    else if (status === 'failure') count.failures++;
    else if (status === 'noop') count.noops++;
    else if (status === 'skipped') count.skips++;
    if (correctiveChange === true && status === 'success') count.correctiveSuccesses++;
    if (correctiveChange === true && status === 'noop') count.correctiveNoops++;
  }
  return [...counts.values()];
}
