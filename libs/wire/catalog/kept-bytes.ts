const slabBytes = 1 << 18;
/** Larger ones get memory of their own. */
const largestShared = slabBytes >> 4;

/** Copies of many small pieces of bytes, side by side in few pieces of memory: far cheaper than a buffer for each. */
export class KeptBytes {
  private slab = Buffer.allocUnsafeSlow(0);
  private used = 0;

  copy(bytes: Buffer): Buffer {
    if (bytes.length > largestShared) return Buffer.from(bytes);
    const from = this.reserve(bytes.length);
    this.slab.set(bytes, from);
    return this.keep(bytes.length);
  }

  /** The text in UTF-8. */
  text(text: string): Buffer {
    // A character of a text has three bytes at most.
    if (text.length * 3 > largestShared) return Buffer.from(text);
    const from = this.reserve(text.length * 3);
    return this.keep(this.slab.write(text, from, 'utf8'));
  }

  private reserve(bytes: number): number {
    if (this.used + bytes > this.slab.length) {
      this.slab = Buffer.allocUnsafeSlow(slabBytes);
      this.used = 0;
    }
    return this.used;
  }

  private keep(bytes: number): Buffer {
    const from = this.used;
    this.used += bytes;
    return this.slab.subarray(from, this.used);
  }
}
