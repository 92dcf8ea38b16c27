/** Measures consecutive steps. Reads the clock only once for each step. */
export class Stopwatch<Step extends string> {
  private spent = new Map<Step, number>();
  private since: number;

  /** `clock` returns milliseconds of a monotonic clock. */
  constructor(private readonly clock: () => number = () => performance.now()) {
    this.since = clock();
  }

  begin(): void {
    this.spent = new Map();
    this.since = this.clock();
  }

  /** Ends a step, which began when the previous step ended. The times of a repeated step are added up. */
  did(step: Step): void {
    const now = this.clock();
    this.spent.set(step, (this.spent.get(step) ?? 0) + now - this.since);
    this.since = now;
  }

  /** Milliseconds of each step since `begin`. */
  get times(): ReadonlyMap<Step, number> {
    return this.spent;
  }
}
