/**
 * Decides which of the running queries PostgreSQL works on. A query holds its place until its answer is complete, but
 * it holds a turn only while it waits for rows. So a slow client delays no other query, and long queries leave
 * processors free.
 *
 * Queries from addresses with short queries get a turn at once. At most `most` of the other queries have a turn at the
 * same time. Waiting queries from new addresses come first, then the query that has waited longest. A query from a new
 * address gets an extra turn if no turn has begun in the last second.
 *
 * Pure: the caller passes in a clock, and must call `tick` a few times a second.
 */
import { Weight } from './weight';

/** Time since the beginning of the newest turn after which a new address gets an extra turn. */
const patienceMs = 1_000;

export class Turns<Q> {
  private readonly waiting = new Map<Q, () => void>();
  /** Time at which the turn of each query began. */
  private readonly running = new Map<Q, number>();

  constructor(
    private readonly most: number,
    /** Returns a function that computes the current weight of the address of a query. */
    private readonly weights: () => (query: Q) => Weight,
    private readonly clock: () => number,
  ) {}

  /** Calls `granted` when the query gets its turn, possibly before returning. A query can have only one turn. */
  ask(query: Q, granted: () => void): void {
    this.waiting.set(query, granted);
    this.grant();
  }

  /** Ends the turn of the query, or stops waiting for a turn. */
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
