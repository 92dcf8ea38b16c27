/** The batch size doubles after this many successful batches. */
const batchesToGrow = 10;

/** The most records of a batch. It is halved when the database finds a batch too large, and grows again later. */
export class BatchSize {
  private current: number;
  /** Successful batches since `current` was changed. */
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
