/**
 * Decides which of the running queries PostgreSQL works on. A query holds a place for as long as its answer takes, but
 * it takes a turn only for the time in which it waits for rows. So slow readers cost nobody a turn, and long queries
 * leave processors to everybody else.
 *
 * - Queries of addresses known for short queries have their turn at once.
 * - Of the others, `most` have their turn at the same time: first those of addresses of which little is known, then those
 *   of addresses with long queries; among equals, in the order in which they asked.
 * - Those of which little is known do not wait for long turns of others: up to `further` of them run beside those.
 *
 * Pure: time comes from the clock that is passed in, and `tick` must be called a few times a second.
 */
import { Weight } from './weight';

export interface TurnLimits {
  readonly most: number;
  readonly further: number;
}

/** A turn that takes longer no longer holds up an address of which little is known. */
const longTurnMs = 1_000;

export class Turns<Q> {
  private readonly waiting = new Map<Q, () => void>();
  /** When each turn began. */
  private readonly running = new Map<Q, number>();

  constructor(
    private readonly limits: TurnLimits,
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
    let long = 0;
    for (const [query, since] of this.running) {
      if (weightOf(query) === Weight.short) continue;
      others++;
      if (now - since >= longTurnMs) long++;
    }
    const { most, further } = this.limits;
    const candidates = [...this.waiting.keys()].map((query) => ({ query, weight: weightOf(query) }));
    // The sort is stable: those of one weight stay in the order in which they asked.
    for (const { query, weight } of candidates.sort((a, b) => a.weight - b.weight)) {
      if (weight !== Weight.short) {
        const isFree = others < most || (weight === Weight.new && others - long < most && others < most + further);
        if (!isFree) return;
        others++;
      }
      const granted = this.waiting.get(query);
      this.waiting.delete(query);
      this.running.set(query, now);
      granted?.();
    }
  }
}
