import type { PastState } from './history/kept-past';
import type { VolatileFacts } from './timeline/volatile-facts';

/**
 * Cache of the keys of committed shared rows, which a batch need not look up. When the cache is full, it drops the
 * older half of its keys.
 */
export class KnownKeys {
  /** The epoch of the shared rows for which all keys are valid. Undefined if there are no keys. */
  epoch: string | undefined;
  /** The past of the tables as the first batch read it. */
  past: PastState | undefined;
  /**
   * The volatile facts never change in a generation. Undefined if the tables keep no past, or before the first batch.
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
