/** Number of successful batches after which the limit doubles. */
const batchesToGrow = 10;

/** Limit on the records in a batch. It is halved if the database finds a batch too large, and raised again later. */
export class BatchSize {
  private current: number;
  private successes = 0;

  constructor(private readonly maximum: number) {
    this.current = maximum;
  }

  get records(): number {
    return this.current;
  }

  /** Halves the limit after a batch of `records` records was too large. */
  shrink(records: number): void {
    this.current = Math.max(1, records >> 1);
    this.successes = 0;
  }

  succeeded(): void {
    this.successes += 1;
    if (this.successes < batchesToGrow || this.current === this.maximum) return;
    this.current = Math.min(this.maximum, this.current * 2);
    this.successes = 0;
  }
}
