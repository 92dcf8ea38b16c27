import type { Problems } from '../check/problems';
import type { JsonScan } from '../json/scan';
import { ownCopy } from '../own-copy';

interface Element<V> {
  readonly text: string;
  readonly value: V;
  generation: number;
  next: Element<V> | undefined;
}

/** In characters. Longer elements are rare, and a few of them would fill the cache. */
const longestElement = 32_768;
/** Bytes of memory for each element in addition to its texts. */
const bytesOfElement = 800;
/** Number of levels that enclose an element: the catalog and the section. */
const depth = 2;

/**
 * Caches the elements of a section, because catalogs of nodes with the same role have most elements in common, in the
 * same order. The key of an element is its text. A new element is young. When the young elements fill half of the
 * cache, the cache deletes all old elements, and the young elements become old. An old element that is found again
 * becomes young.
 */
export class ElementCache<V> {
  private young = new Map<string, Element<V>>();
  private old = new Map<string, Element<V>>();
  private generation = 0;
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  /**
   * Returns a function that callers must call for each element of a section, in order. The function returns the value
   * of the element and the offset after the element. `read` gets a copy of the element's text, so that no value keeps
   * the whole document in memory.
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

  private found(element: Element<V>): Element<V> {
    if (element.generation === this.generation) return element;
    element.generation = this.generation;
    this.young.set(element.text, element);
    // An element keeps three texts: its text, its value and its canonical text.
    this.bytes += bytesOfElement + 3 * element.text.length;
    if (this.bytes > this.mostBytes / 2) this.forgetOld();
    return element;
  }

  private forgetOld(): void {
    // Removes the links between deleted elements, because otherwise an element that stays in the cache could keep a
    // chain of deleted elements in memory.
    for (const element of this.old.values()) if (element.generation < this.generation) element.next = undefined;
    this.old = this.young;
    this.young = new Map();
    this.generation++;
    this.bytes = 0;
  }
}
