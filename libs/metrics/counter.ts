/** Counts up and down: events since the beginning, or how many there are. */
export class Counter {
  private total = 0;

  get count(): number {
    return this.total;
  }

  add(amount = 1): void {
    this.total += amount;
  }
}
