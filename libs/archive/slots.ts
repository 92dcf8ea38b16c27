/** Limits how many exports or imports run at the same time in this process. */
export class Slots {
  private taken = 0;

  constructor(
    private readonly most: number,
    private readonly refusal: (most: number) => Error,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.taken >= this.most) throw this.refusal(this.most);
    this.taken += 1;
    try {
      return await work();
    } finally {
      this.taken -= 1;
    }
  }
}
