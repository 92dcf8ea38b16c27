type Label = string | number;

/**
 * Two generators (sfc32) with equal labels return equal numbers on every computer, so a document can be created without
 * the documents before it.
 */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  private constructor(a: number, b: number, c: number) {
    this.a = a;
    this.b = b;
    this.c = c;
    for (let i = 0; i < 12; i++) this.uint32();
  }

  static of(...labels: readonly Label[]): Random {
    let a = 0x9e3779b9;
    let b = 0x243f6a88;
    let c = 0xb7e15162;
    for (const label of labels) {
      const text = typeof label === 'number' ? `#${label}` : label;
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        a = Math.imul(a ^ code, 0x85ebca6b);
        b = Math.imul(b ^ code, 0xc2b2ae35) ^ (a >>> 13);
        c = Math.imul(c + code, 0x27d4eb2f) ^ (b >>> 16);
      }
      a ^= text.length + 0x1f;
      c = Math.imul(c ^ (a >>> 15), 0x165667b1);
    }
    return new Random(a | 0, b | 0, c | 0);
  }

  uint32(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  fraction(): number {
    return this.uint32() / 4294967296;
  }

  /** Both limits are inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('nothing to pick from');
    return items[this.uint32() % items.length] as T;
  }

  /** Returns up to `count` different items, in the order of the list. */
  sample<T>(items: readonly T[], count: number): T[] {
    const taken: T[] = [];
    let wanted = Math.min(count, items.length);
    for (let i = 0; i < items.length && wanted > 0; i++) {
      if (this.fraction() * (items.length - i) < wanted) {
        taken.push(items[i] as T);
        wanted--;
      }
    }
    return taken;
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.uint32().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  uuid(): string {
    const h = this.hex(32);
    const variant = '89ab'[this.uint32() & 3];
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20)}`;
  }

  base64(length: number): string {
    let text = '';
    while (text.length < length) {
      let bits = this.uint32();
      for (let i = 0; i < 5; i++) {
        text += BASE64[bits & 63];
        bits >>>= 6;
      }
    }
    return text.slice(0, length);
  }
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
