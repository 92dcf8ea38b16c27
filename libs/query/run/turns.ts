/**
 * Decides which of the running queries PostgreSQL works on. A query holds its place until its answer is complete, but a turn
 * only while it waits for rows. So a slow reader takes no turn from others, and long queries leave processors free.
 *
 * - Queries from addresses with short queries get their turn at once.
 * - Of the others, at most `most` have a turn at the same time. New addresses come before heavy ones, then the order of
 *   asking decides.
 * - A new address does not wait for long turns to end: it gets an extra turn when the newest turn has lasted for a second.
 *
 * Pure: time comes from the clock that is passed in, and `tick` must be called a few times a second.
 */
import { Weight } from './weight';

/** A new address gets an extra turn when the newest turn has lasted this long. */
const patienceMs = 1_000;

export class Turns<Q> {
  private readonly waiting = new Map<Q, () => void>();
  /** When each turn began. */
  private readonly running = new Map<Q, number>();

  constructor(
    private readonly most: number,
    /** Gives the current weight of the address that a query comes from. */
    private readonly weights: () => (query: Q) => Weight,
    private readonly clock: () => number,
  ) {}

  /** Calls `granted` when the query has its turn, possibly at once. A query has one turn at a time. */
  ask(query: Q, granted: () => void): void {
    this.waiting.set(query, granted);
    this.grant();
  }

  /** The turn is over, or the query no longer waits for one. */
  end(query: Q): void {
    this.waiting.delete(query);
    if (this.running.delete(query)) this.grant();
  }

  tick(): void {
    this.grant();
  }

  private grant(): void {
    if (this.waiting.size === 0) return;
    const weightOf = this.weights();
    const now = this.clock();
    let others = 0;
    let youngest = Infinity;
    for (const [query, since] of this.running) {
      if (weightOf(query) === Weight.short) continue;
      others++;
      youngest = Math.min(youngest, now - since);
    }
    const candidates = [...this.waiting.keys()].map((query) => ({ query, weight: weightOf(query) }));
    // The sort is stable, so queries of equal weight keep their order.
    for (const { query, weight } of candidates.sort((a, b) => a.weight - b.weight)) {
      if (weight !== Weight.short) {
        const isPatient = weight === Weight.new && youngest >= patienceMs;
        if (others >= this.most && !isPatient) return;
        others++;
        youngest = 0;
      }
      const granted = this.waiting.get(query);
      this.waiting.delete(query);
      this.running.set(query, now);
      granted?.();
    }
  }
}
