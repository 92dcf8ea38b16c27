/** Measures steps that follow each other: one reading of the clock for each. */
export class Stopwatch<Step extends string> {
  private spent = new Map<Step, number>();
  private since: number;

  /** `clock` gives milliseconds. */
  constructor(private readonly clock: () => number = () => performance.now()) {
    this.since = clock();
  }

  /** The first step begins now. What was measured before is forgotten. */
  begin(): void {
    this.spent = new Map();
    this.since = this.clock();
  }

  /** The step has ended that began when the one before it ended. It may come several times. */
  did(step: Step): void {
    const now = this.clock();
    this.spent.set(step, (this.spent.get(step) ?? 0) + now - this.since);
    this.since = now;
  }

  /** Milliseconds of each step that came since the beginning. */
  get times(): ReadonlyMap<Step, number> {
    return this.spent;
  }
}
