import { randomInt } from 'node:crypto';
import { objectEnd } from '../json/object-end';
import { space } from '../json/space';
import type { KeptBytes } from './kept-bytes';

/** An element that was read before. */
export interface KnownElement<V> {
  readonly bytes: Buffer;
  readonly value: V;
  readonly weight: number;
  /** Whether it was found again after it was remembered. */
  wasFoundAgain: boolean;
  /** What followed it the last two times that something else did, the latest first. */
  next: KnownElement<V> | undefined;
  other: KnownElement<V> | undefined;
}

/** Larger elements are rare, and a few of them would fill the memory. */
const largestKnown = 32_768;

/**
 * What an element takes up while it is known, about: its bytes, what was read of it, and what each element takes besides. Texts
 * with other characters than ASCII are twice as large. What was read may be slices of the element's text, and so keep it.
 */
const weigh = (bytes: number, isAscii: boolean): number => 800 + bytes * (isAscii ? 3 : 6);

/** Different in each process, so that nobody can send elements that all have the same hash. */
const hashStart = randomInt(2 ** 32);

/** FNV-1a hash of a range of bytes. If two elements have the same hash, their bytes are compared; a different one replaces the older one. */
function hashOf(payload: Buffer, start: number, end: number): number {
  let hash = hashStart;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ payload[at]!, 0x01000193);
  return hash;
}

/**
 * The elements that were met in one of a catalog's sections, by their bytes. Machines of a role share most elements, and
 * in the same order: what followed an element before is compared first, and that costs next to nothing. Equal bytes are
 * what counts, and reading is a function of the bytes, so remembering changes how long it takes and nothing else.
 */
export class KnownElements<V> {
  /** About how many bytes of memory all of them take up. */
  weight = 0;
  private readonly byHash = new Map<number, KnownElement<V>>();
  private first: KnownElement<V> | undefined;

  constructor(
    /** Nothing more is remembered when this is reached. */
    private readonly mostWeight: number,
    private readonly kept: KeptBytes,
    /** Reads one element from its text; undefined where that takes a more careful reader. */
    private readonly read: (text: string) => V | undefined,
  ) {}

  /**
   * Reads the array of objects whose bracket stands at `start` of valid UTF-8, into `values`. Gives the offset behind it;
   * -1 where it is something else, or has more than `most` elements.
   */
  section(payload: Buffer, start: number, isAscii: boolean, most: number, values: V[]): number {
    let pos = space(payload, start + 1);
    if (payload[pos] === 0x5d) return pos + 1;
    let last: KnownElement<V> | undefined;
    let guess = this.first;
    for (let count = 1; count <= most; count++) {
      const met = startsWith(payload, pos, guess)
        ? guess
        : startsWith(payload, pos, last?.other)
          ? last?.other
          : undefined;
      let known = met;
      if (known !== undefined) {
        pos += known.bytes.length;
        known.wasFoundAgain = true;
        values.push(known.value);
      } else {
        if (payload[pos] !== 0x7b) return -1;
        const end = objectEnd(payload, pos);
        if (end === -1) return -1;
        const hash = hashOf(payload, pos, end);
        const found = this.byHash.get(hash);
        if (found !== undefined && found.bytes.length === end - pos && startsWith(payload, pos, found)) {
          known = found;
          known.wasFoundAgain = true;
        }
        const value =
          known === undefined ? this.read(payload.toString(isAscii ? 'latin1' : 'utf8', pos, end)) : known.value;
        if (value === undefined) return -1;
        known ??= this.remember(hash, payload.subarray(pos, end), isAscii, value);
        values.push(value);
        pos = end;
      }
      if (known !== undefined) {
        if (last === undefined) this.first = count === 1 ? known : this.first;
        else if (last.next !== known) {
          last.other = last.next;
          last.next = known;
        }
      }
      last = known;
      guess = known?.next;
      pos = space(payload, pos);
      const after = payload[pos];
      if (after === 0x5d) return pos + 1;
      if (after !== 0x2c) return -1;
      pos = space(payload, pos + 1);
    }
    return -1;
  }

  private remember(hash: number, bytes: Buffer, isAscii: boolean, value: V): KnownElement<V> | undefined {
    if (bytes.length > largestKnown || this.weight >= this.mostWeight) return undefined;
    return this.add(hash, bytes, weigh(bytes.length, isAscii), value);
  }

  private add(hash: number, bytes: Buffer, weight: number, value: V): KnownElement<V> {
    this.weight += weight;
    const copy = this.kept.copy(bytes);
    const known = { bytes: copy, value, weight, wasFoundAgain: false, next: undefined, other: undefined };
    this.byHash.set(hash, known);
    return known;
  }

  /** Copies what others found again, if it needs no more than half of the memory. `taken`: the value as it is remembered here. */
  copyFoundAgain(others: KnownElements<V>, taken: (value: V) => V): void {
    const again = [...others.byHash].filter(([, { wasFoundAgain }]) => wasFoundAgain);
    const weight = again.reduce((sum, [, one]) => sum + one.weight, 0);
    if (weight > this.mostWeight / 2) return;
    for (const [hash, one] of again) this.add(hash, one.bytes, one.weight, taken(one.value));
  }
}

function startsWith<V>(payload: Buffer, pos: number, known: KnownElement<V> | undefined): boolean {
  if (known === undefined) return false;
  const { bytes } = known;
  const end = pos + bytes.length;
  return end <= payload.length && payload.compare(bytes, 0, bytes.length, pos, end) === 0;
}
