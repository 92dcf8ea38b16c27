const defaultMost = 1 << 15;

export class RecentHashes {
  private recent = new Set<string>();
  private older = new Set<string>();

  /** Remembers at most `2 * most` hashes, of about 100 bytes each. Forgets hashes that were not added recently. */
  constructor(private readonly most = defaultMost) {}

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
