/**
 * Decides which of the running queries PostgreSQL works on. A query holds its permit until its answer is complete, but
 * holds a slot only while the service waits for rows from PostgreSQL. So a slow client delays no other query.
 *
 * Queries from addresses with short queries get a slot at once. At most `most` of the other queries have a slot.
 * Waiting queries from new addresses come first, then the query that has waited longest. A query from a new address
 * gets an extra slot if none of these slots has begun in the last second.
 *
 * The caller passes in a clock, and must call `tick` a few times a second.
 */
import { Priority } from './priority';

/** If the newest slot began at least this long ago, a new address gets an extra slot. */
const patienceMs = 1_000;

export class Slots<Q> {
  private readonly waiting = new Map<Q, () => void>();
  private readonly running = new Map<Q, number>();

  constructor(
    private readonly most: number,
    private readonly priorities: () => (query: Q) => Priority,
    private readonly clock: () => number,
  ) {}

  /** Calls `granted` when the query gets a slot, possibly before this method returns. A query has at most one slot. */
  ask(query: Q, granted: () => void): void {
    this.waiting.set(query, granted);
    this.grant();
  }

  /** Ends the slot of the query, or stops waiting for a slot. */
  end(query: Q): void {
    this.waiting.delete(query);
    if (this.running.delete(query)) this.grant();
  }

  tick(): void {
    this.grant();
  }

  private grant(): void {
    if (this.waiting.size === 0) return;
    const priorityOf = this.priorities();
    const now = this.clock();
    let others = 0;
    let youngest = Infinity;
    for (const [query, since] of this.running) {
      if (priorityOf(query) === Priority.short) continue;
      others++;
      youngest = Math.min(youngest, now - since);
    }
    const candidates = [...this.waiting.keys()].map((query) => ({ query, priority: priorityOf(query) }));
    // The sort is stable, so queries of equal priority keep their order.
    for (const { query, priority } of candidates.sort((a, b) => a.priority - b.priority)) {
      if (priority !== Priority.short) {
        const isPatient = priority === Priority.new && youngest >= patienceMs;
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
