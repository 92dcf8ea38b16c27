import { hash } from 'node:crypto';
import type { KnownEnd, Section } from '../../document-parts';

interface KnownSection extends Pick<Section, 'weight'> {
  readonly length: number;
  readonly sha256: Buffer;
}

/** Each key takes about 0.5 kB of memory. */
const defaultMost = 10_000;
const closeBracket = 0x5d;

/** Remembers for each key the sections of its last document. Forgets the least recently used keys. */
export class KnownSections {
  private readonly known = new Map<string, Map<string, KnownSection>>();

  constructor(private readonly most = defaultMost) {}

  of(key: string, document: Buffer): DocumentHashes {
    const sections = this.known.get(key) ?? new Map<string, KnownSection>();
    this.known.delete(key);
    this.known.set(key, sections);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= this.most) break;
      this.known.delete(oldest);
    }
    return new DocumentHashes(document, sections);
  }
}

class DocumentHashes {
  private readonly hashes = new Map<number, { readonly end: number; readonly sha256: Buffer }>();

  constructor(
    private readonly document: Buffer,
    private readonly known: Map<string, KnownSection>,
  ) {}

  /** Returns undefined if the section differs from the section of the same name in the previous document. */
  readonly endOf: KnownEnd = (name, start) => {
    const before = this.known.get(name);
    if (before === undefined) return undefined;
    const end = start + before.length;
    // Compares the last byte first: if it differs, no hash is needed.
    if (this.document[end - 1] !== closeBracket || !this.sha256(start, end).equals(before.sha256)) return undefined;
    return { end, weight: before.weight };
  };

  readonly hashOf = ({ name, start, end, weight }: Section): Buffer => {
    const sha256 = this.sha256(start, end);
    this.known.set(name, { length: end - start, weight, sha256 });
    return sha256;
  };

  private sha256(start: number, end: number): Buffer {
    const made = this.hashes.get(start);
    if (made?.end === end) return made.sha256;
    const sha256 = hash('sha256', this.document.subarray(start, end), 'buffer');
    this.hashes.set(start, { end, sha256 });
    return sha256;
  }
}
