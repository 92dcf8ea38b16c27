import type { PastState } from './history/kept-past';
import type { VolatileFacts } from './timeline/volatile-facts';

/**
 * Cache of the keys of shared rows that are committed. These rows need no look-up. The number of keys is limited. When
 * the limit is reached, the older half is forgotten, which only costs look-ups.
 */
export class KnownKeys {
  /**
   * The epoch of shared rows at the time when the first key was added. It applies to all keys. Undefined if there are
   * no keys.
   */
  epoch: string | undefined;
  /** Describes the past of the tables, as the first batch read it. A batch that finds another epoch reads it again. */
  past: PastState | undefined;
  /**
   * Names of the volatile facts. The names never change in a generation. Undefined if the tables keep no past, or
   * before the first batch.
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
