/** Counts up and down: events since the start, or a current number. */
export class Counter {
  private total = 0;

  get count(): number {
    return this.total;
  }

  add(amount = 1): void {
    this.total += amount;
  }
}
