interface Name {
  /** What comes first in a catalog's canonical text: title, then type. */
  readonly key: string;
  readonly type: string;
}

/** The rank of each name, by its number: by title and type, and by type and title. */
export interface Ranks {
  readonly byTitle: Int32Array;
  readonly byType: Int32Array;
}

/**
 * Names of resources in two orders. Catalogs have most names in common: their texts are compared once when they are new, and for
 * each catalog only numbers are. Names are counted from 0 in the order in which they were added.
 */
export class RankedNames {
  private readonly names: Name[] = [];
  /** How many of the names have ranks. */
  private ranked = 0;
  private capacity = 1024;
  /** The number of the name at each rank by title. */
  private sorted = new Int32Array(this.capacity);
  /** The place of each number's type among the types as they were met. */
  private typeOf = new Int32Array(this.capacity);
  private byTitle = new Int32Array(this.capacity);
  private byType = new Int32Array(this.capacity);
  private readonly types = new Map<string, number>();
  private sortedTypes: number[] = [];

  /** Adds a new name. It has ranks after the next call of `ranks`. */
  add(name: Name): void {
    this.names.push(name);
  }

  ranks(): Ranks {
    if (this.names.length > this.ranked) {
      this.makeRoom();
      const from = this.ranked;
      this.ranked = this.names.length;
      this.insertSorted(from);
      this.rankByType(from);
    }
    return { byTitle: this.byTitle, byType: this.byType };
  }

  private makeRoom(): void {
    if (this.names.length <= this.capacity) return;
    this.capacity = this.names.length * 2;
    this.sorted = enlarged(this.sorted, this.capacity);
    this.typeOf = enlarged(this.typeOf, this.capacity);
    this.byTitle = new Int32Array(this.capacity);
    this.byType = new Int32Array(this.capacity);
  }

  /** Merges the names from number `from` on into the sorted ones. */
  private insertSorted(from: number): void {
    const { names, sorted, byTitle } = this;
    const keyOf = (number: number): string => (names[number] as Name).key;
    const fresh = Array.from({ length: names.length - from }, (_, index) => from + index);
    fresh.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    // From the last one on, each is put where it belongs, and what follows it is moved there at once.
    for (let left = fresh.length, end = from; left > 0; left--) {
      const number = fresh[left - 1] as number;
      const place = this.placeOf(keyOf(number), end);
      sorted.copyWithin(place + left, place, end);
      sorted[place + left - 1] = number;
      end = place;
    }
    for (let rank = 0; rank < names.length; rank++) byTitle[sorted[rank] as number] = rank;
  }

  /** How many of the first `end` sorted names are before this one. */
  private placeOf(key: string, end: number): number {
    let low = 0;
    for (let high = end; low < high;) {
      const middle = (low + high) >>> 1;
      if ((this.names[this.sorted[middle] as number] as Name).key < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Names of one type have the order of their titles: their ranks follow without comparing texts again. */
  private rankByType(from: number): void {
    const { names, types, typeOf, sorted, byType } = this;
    const known = types.size;
    for (let number = from; number < names.length; number++) {
      const { type } = names[number] as Name;
      let place = types.get(type);
      if (place === undefined) types.set(type, (place = types.size));
      typeOf[number] = place;
    }
    if (types.size > known) this.sortedTypes = [...types.keys()].sort().map((type) => types.get(type) as number);
    const next = new Int32Array(types.size);
    for (let number = 0; number < names.length; number++) next[typeOf[number] as number]!++;
    let rank = 0;
    for (const type of this.sortedTypes) {
      const count = next[type] as number;
      next[type] = rank;
      rank += count;
    }
    for (let place = 0; place < names.length; place++) {
      const number = sorted[place] as number;
      byType[number] = next[typeOf[number] as number]!++;
    }
  }
}

function enlarged(numbers: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size);
  larger.set(numbers);
  return larger;
}

/** An edge between names. */
interface EdgeOfNames {
  readonly source: { readonly number: number };
  readonly target: { readonly number: number };
  /** The index of its relationship in sorted order. */
  readonly relationship: number;
}

/** More than there are relationships. */
const mostRelationships = 8;

/** The edges by source, target and relationship; equal ones one after the other. */
export function sortedEdges<E extends EdgeOfNames>(edges: readonly E[], ranks: Int32Array): E[] {
  const count = edges.length;
  const most = ranks.length;
  // Each edge gets one number that combines its ranks and its index, if a double can represent it exactly.
  if (most * most * mostRelationships * count > Number.MAX_SAFE_INTEGER) return edges.slice().sort(comparing(ranks));
  const keys = new Float64Array(count);
  for (let place = 0; place < count; place++) {
    const { source, target, relationship } = edges[place] as E;
    const ends = (ranks[source.number] as number) * most + (ranks[target.number] as number);
    keys[place] = (ends * mostRelationships + relationship) * count + place;
  }
  return inOrder(edges, keys);
}

/** The resources by the ranks of their names. */
export function sortedResources<R extends { readonly named: { readonly number: number } }>(
  resources: readonly R[],
  ranks: Int32Array,
): R[] {
  const count = resources.length;
  const keys = new Float64Array(count);
  for (let place = 0; place < count; place++) {
    const { named } = resources[place] as R;
    keys[place] = (ranks[named.number] as number) * count + place;
  }
  return inOrder(resources, keys);
}

/** `keys`: one for each element, with its place added. They are below 2^53, so the division is exact enough for the place. */
function inOrder<T>(elements: readonly T[], keys: Float64Array): T[] {
  keys.sort();
  const count = elements.length;
  const sorted: T[] = [];
  for (const key of keys) sorted.push(elements[key - Math.floor(key / count) * count] as T);
  return sorted;
}

const comparing =
  (ranks: Int32Array) =>
  (a: EdgeOfNames, b: EdgeOfNames): number =>
    (ranks[a.source.number] as number) - (ranks[b.source.number] as number) ||
    (ranks[a.target.number] as number) - (ranks[b.target.number] as number) ||
    a.relationship - b.relationship;

/** Edges that are sorted, each once. */
export const distinctEdges = <E extends EdgeOfNames>(edges: readonly E[]): E[] =>
  edges.filter((edge, place) => {
    const before = edges[place - 1];
    return !(
      before !== undefined &&
      before.source === edge.source &&
      before.target === edge.target &&
      before.relationship === edge.relationship
    );
  });
