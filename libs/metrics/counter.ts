/** A number that can be increased and decreased: the events since the start, or a current amount. */
export class Counter {
  private total = 0;

  get count(): number {
    return this.total;
  }

  add(amount = 1): void {
    this.total += amount;
  }
}
