/** Counts events. Can also measure an amount that rises and falls, because `add` accepts negative numbers. */
export class Counter {
  private total = 0;

  get count(): number {
    return this.total;
  }

  add(amount = 1): void {
    this.total += amount;
  }
}
