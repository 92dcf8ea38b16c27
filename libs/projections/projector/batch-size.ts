const batchesToGrow = 10;

/**
 * Limit on the records in a batch. The limit is halved if a batch is too large for PostgreSQL, and is raised again
 * later.
 */
export class BatchSize {
  private current: number;
  private successes = 0;

  constructor(private readonly maximum: number) {
    this.current = maximum;
  }

  get records(): number {
    return this.current;
  }

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
