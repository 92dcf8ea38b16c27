import type { PastState } from './history/kept-past';
import type { VolatileFacts } from './timeline/volatile-facts';

/**
 * Keys of shared rows that are known to be committed, so that no look-up is necessary. The number of keys is limited.
 * When the limit is reached, the older half is forgotten, which only costs look-ups.
 */
export class KnownKeys {
  /** The epoch of shared rows when the first key was added; valid for all keys. Undefined without keys. */
  epoch: string | undefined;
  /**
   * Whether the tables kept their past when the first batch read their state. Batches with another epoch read the
   * state again.
   */
  past: PastState | undefined;
  /** Names of volatile facts, which never change. Undefined if the tables keep no past, or before the first batch. */
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
