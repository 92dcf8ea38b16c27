/** Repeatable random numbers: NODELEDGER_CHAOS_SEED repeats the choices of an earlier run, but not its moments. */
export class Seeded {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** The generator of this run. Prints its seed. */
  static ofRun(what: string): Seeded {
    const named = process.env.NODELEDGER_CHAOS_SEED;
    const seed = named === undefined ? Date.now() % 1_000_000 : Number(named);
    if (!Number.isInteger(seed)) throw new Error(`NODELEDGER_CHAOS_SEED is ${named}; it takes a whole number`);
    console.log(`${what}: seed ${seed}`);
    return new Seeded(seed);
  }

  /** Returns a number from 0 to below 1. */
  fraction(): number {
    // mulberry32, because its low bits are as random as its high bits.
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from `least` to `most`. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.whole(0, values.length - 1)] as T;
  }

  shuffled<T>(values: readonly T[]): T[] {
    const all = [...values];
    for (let last = all.length - 1; last > 0; last--) {
      const other = this.whole(0, last);
      [all[last], all[other]] = [all[other] as T, all[last] as T];
    }
    return all;
  }

  /**
   * Yields all values in random order, then all again in another order, without end. So each value occurs about equally
   * often.
   */
  *decks<T>(values: readonly T[]): Generator<T, never> {
    for (;;) yield* this.shuffled(values);
  }

  /**
   * Returns a separate generator for concurrent work, so that the order of concurrent calls does not change their
   * values.
   */
  fork(): Seeded {
    return new Seeded(this.whole(0, 2 ** 31));
  }
}
