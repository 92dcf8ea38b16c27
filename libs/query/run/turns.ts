/**
 * Decides which of the running queries PostgreSQL works on. A query holds a place for as long as its answer takes, but
 * it takes a turn only for the time in which it waits for rows. So slow readers cost nobody a turn, and long queries
 * leave processors to everybody else.
 *
 * - Queries of addresses known for short queries have their turn at once.
 * - Of the others, `most` have their turn at the same time: first those of addresses of which little is known, then those
 *   of addresses with long queries; among equals, in the order in which they asked.
 * - Those of which little is known do not wait for long turns of others to end: one more has its turn when the last one
 *   that began has run for a second.
 *
 * Pure: time comes from the clock that is passed in, and `tick` must be called a few times a second.
 */
import { Weight } from './weight';

/** How long the newest turn lets an address wait of which little is known. */
const patienceMs = 1_000;

export class Turns<Q> {
  private readonly waiting = new Map<Q, () => void>();
  /** When each turn began. */
  private readonly running = new Map<Q, number>();

  constructor(
    private readonly most: number,
    /** Gives what is known now of the address that a query comes from. */
    private readonly weights: () => (query: Q) => Weight,
    private readonly clock: () => number,
  ) {}

  /** `granted` is called when it is the query's turn, possibly at once. A query has one turn at a time. */
  ask(query: Q, granted: () => void): void {
    this.waiting.set(query, granted);
    this.grant();
  }

  /** The turn is over, or the query waits for it no longer. */
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
    // The sort is stable: those of one weight stay in the order in which they asked.
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
