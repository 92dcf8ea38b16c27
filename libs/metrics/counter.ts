/** Counts events, or measures a current amount that a negative number reduces. */
export class Counter {
  private total = 0;

  get count(): number {
    return this.total;
  }

  add(amount = 1): void {
    this.total += amount;
  }
}
