import type { LeftOutSection } from '../../document-parts';

/** Larger sections are rare, and a projector does not read them if they are unchanged. */
const largestSection = 128 << 10;
const defaultBytes = 8 << 20;

/** Remembers small sections by their SHA-256, for a reader that meets them again in each run of a node. Forgets the oldest. */
export class SectionCache {
  private readonly sections = new Map<string, Buffer>();
  private bytes = 0;

  constructor(private readonly mostBytes = defaultBytes) {}

  get({ sha256 }: Pick<LeftOutSection, 'sha256'>): Buffer | undefined {
    return this.sections.get(sha256.toString('latin1'));
  }

  add({ sha256 }: Pick<LeftOutSection, 'sha256'>, bytes: Buffer): void {
    const key = sha256.toString('latin1');
    if (bytes.length > largestSection || this.sections.has(key)) return;
    this.sections.set(key, bytes);
    this.bytes += bytes.length;
    for (const [oldest, { length }] of this.sections) {
      if (this.bytes <= this.mostBytes) break;
      this.sections.delete(oldest);
      this.bytes -= length;
    }
  }
}
