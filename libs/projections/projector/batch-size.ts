/** The batch size doubles after this many successful batches. */
const batchesToGrow = 10;

/** Limit of records in a batch. Halved when the database finds a batch too large, and raised again later. */
export class BatchSize {
  private current: number;
  /** Number of successful batches since `current` was changed. */
  private successes = 0;

  constructor(private readonly maximum: number) {
    this.current = maximum;
  }

  get records(): number {
    return this.current;
  }

  /** A batch of `records` records was too large. */
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
