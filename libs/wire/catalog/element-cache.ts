import type { Problems } from '../check/problems';
import type { JsonScan } from '../json/scan';
import { ownCopy } from '../own-copy';

interface Element<V> {
  readonly text: string;
  readonly value: V;
  /** The generation of the cache in which the element was last found. */
  generation: number;
  /** The element that followed this one in the last catalog that had this one. */
  next: Element<V> | undefined;
}

/** Larger elements are rare, and a few of them would fill the cache. */
const longestElement = 32_768;
/** Bytes of memory for each element in addition to its texts. */
const bytesOfElement = 800;
/** Levels that enclose an element: the catalog and the section. */
const depth = 2;

/**
 * The elements of a section that were read without problems, by their text. Nodes of a role have most elements in common, in the same
 * order. When the young elements fill half of the cache, they become old, and the cache forgets the elements that were old before.
 * An old element that is found again is young again.
 */
export class ElementCache<V> {
  private young = new Map<string, Element<V>>();
  private old = new Map<string, Element<V>>();
  private generation = 0;
  /** About how many bytes of memory the young elements need. */
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  /**
   * Returns a function that reads the element at an offset of `scan`, and returns it with the offset after it. Call it for each element
   * of a section, in their order. `read` reads an element from a copy of its text, so that no value keeps the whole document in memory.
   */
  reader(scan: JsonScan, problems: Problems, read: (text: string) => V): (pos: number) => { value: V; end: number } {
    let last: Element<V> | undefined;
    return (pos) => {
      const next = last?.next;
      if (next !== undefined && this.has(next) && scan.text.slice(pos, pos + next.text.length) === next.text) {
        last = this.found(next);
        return { value: next.value, end: pos + next.text.length };
      }
      const end = scan.skip(pos, depth);
      const text = scan.text.slice(pos, end);
      let element = this.young.get(text) ?? this.old.get(text);
      if (element === undefined) {
        const before = problems.count;
        const copy = ownCopy(text);
        const value = read(copy);
        if (problems.count > before || text.length > longestElement) {
          last = undefined;
          return { value, end };
        }
        element = { text: copy, value, generation: -1, next: undefined };
      }
      if (last !== undefined) last.next = element;
      last = this.found(element);
      return { value: element.value, end };
    };
  }

  private has({ generation }: Element<V>): boolean {
    return generation >= this.generation - 1;
  }

  /** Makes the element young, and returns it. */
  private found(element: Element<V>): Element<V> {
    if (element.generation === this.generation) return element;
    element.generation = this.generation;
    this.young.set(element.text, element);
    // The text, what was read from it, and the canonical text.
    this.bytes += bytesOfElement + 3 * element.text.length;
    if (this.bytes > this.mostBytes / 2) this.forgetOld();
    return element;
  }

  private forgetOld(): void {
    // Without this, an element that is found again and again could keep a chain of forgotten ones in memory.
    for (const element of this.old.values()) if (element.generation < this.generation) element.next = undefined;
    this.old = this.young;
    this.young = new Map();
    this.generation++;
    this.bytes = 0;
  }
}
