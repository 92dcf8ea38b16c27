import type { PastState } from './history/kept-past';
import type { VolatileFacts } from './timeline/volatile-facts';

/**
 * Cache of the keys of committed shared rows, which a batch need not look up. When the cache is full, it drops the
 * older half of its keys.
 */
export class KnownKeys {
  /** All keys are valid for this epoch of the shared rows. Undefined if there are no keys. */
  epoch: string | undefined;
  /** The result of `readPastState` in the first batch. */
  past: PastState | undefined;
  /**
   * Undefined if the tables keep no past, and before the first batch. The volatile facts of a generation never change.
   */
  volatileFacts: VolatileFacts | undefined;
  private young = new Set<string>();
  private old = new Set<string>();

  constructor(private readonly capacity: number) {}

  has(key: string): boolean {
    if (this.young.has(key)) return true;
    if (!this.old.has(key)) return false;
    this.add(key);
    return true;
  }

  add(key: string): void {
    this.young.add(key);
    if (this.young.size < this.capacity / 2) return;
    this.old = this.young;
    this.young = new Set();
  }
}
