const defaultMost = 1 << 15;

/** A set of hashes. Forgets hashes that were not added again for a long time. */
export class RecentHashes {
  private recent = new Set<string>();
  private older = new Set<string>();

  /** Between `most` and twice as many are remembered, each in about 100 bytes. */
  constructor(private readonly most = defaultMost) {}

  /** Returns true if the set did not contain the hash. */
  add(hash: Buffer): boolean {
    const key = hash.toString('latin1');
    if (this.recent.has(key)) return false;
    const isNew = !this.older.has(key);
    if (this.recent.size >= this.most) [this.older, this.recent] = [this.recent, new Set()];
    this.recent.add(key);
    return isNew;
  }

  clear(): void {
    this.recent.clear();
    this.older.clear();
  }
}
