/**
 * Bytes of memory that an entry takes in addition to its piece. They are counted because some pieces are very short.
 */
const entryBytes = 500;

/**
 * Remembers inflated pieces, because nodes with the same role have most pieces in common. When the recent pieces fill
 * half of the memory, the old pieces are forgotten, and the recent pieces become the old pieces.
 */
export class PieceMemory {
  private recent = new Map<string, Buffer>();
  private older = new Map<string, Buffer>();
  private bytes = 0;

  constructor(private readonly mostBytes = 16 << 20) {}

  get(sha256: string): Buffer | undefined {
    const found = this.recent.get(sha256);
    if (found !== undefined) return found;
    const old = this.older.get(sha256);
    if (old !== undefined) this.set(sha256, old);
    return old;
  }

  set(sha256: string, piece: Buffer): void {
    const bytes = piece.length + entryBytes;
    if (this.bytes + bytes > this.mostBytes / 2) {
      this.older = this.recent;
      this.recent = new Map();
      this.bytes = 0;
    }
    this.recent.set(sha256, piece);
    this.bytes += bytes;
  }
}
