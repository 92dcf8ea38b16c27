import type { IsoTime } from '../documents';
import { decodeString, encodeString } from '../json/strings';
import { isInteger } from '../json/numbers';
import { trait, type JsonScan } from '../json/scan';
import { Problems, quoted } from './problems';
import type { Shape } from './shape';
import { readStrictTime, readTime, timeOfEpoch } from './times';
import { readUuid } from './uuids';

type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

const called: Readonly<Record<JsonKind, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
};

/** The text must be valid JSON. */
export function kindAt(text: string, pos: number): JsonKind {
  switch (text.charCodeAt(pos)) {
    case 0x22:
      return 'string';
    case 0x7b:
      return 'object';
    case 0x5b:
      return 'array';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}

/** Describes the value at `pos` by its kind only, because documents contain secrets. */
export const describe = (text: string, pos: number): string => called[kindAt(text, pos)];

/**
 * Finds the members of an object in one scan, and reads them by type. One instance reads many objects of a shape, one
 * after another. If a value is wrong, adds a problem and returns a neutral value. Treats an absent member as null,
 * because `open` already reports missing required members.
 */
export class Members<K extends string> {
  /**
   * Path of the object in messages. For an element of an array, `base` is the path of the array, and `index` is the
   * index of the element. Otherwise `index` is -1.
   */
  base: string | (() => string) = '';
  index = -1;
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  private readonly met: Uint8Array;

  constructor(
    public scan: JsonScan,
    readonly shape: Shape<K>,
    readonly problems: Problems,
    /** Number of levels that enclose the object. */
    readonly depth = 0,
  ) {
    this.starts = new Int32Array(shape.names.length);
    this.ends = new Int32Array(shape.names.length);
    this.met = new Uint8Array(shape.names.length);
  }

  /**
   * Reads the object at or after `pos`, and returns the offset after it. If a key is repeated, its last value is used.
   */
  open(pos: number): number {
    const { scan, shape } = this;
    const { text } = scan;
    this.starts.fill(-1);
    pos = scan.space(pos);
    if (text.charCodeAt(pos) !== 0x7b) {
      const end = scan.skip(pos, this.depth);
      this.problems.add(this.path(), 'an object', describe(text, pos));
      return end;
    }
    pos = scan.space(pos + 1);
    if (text.charCodeAt(pos) === 0x7d) pos++;
    else {
      for (;;) {
        const keyStart = pos;
        if (text.charCodeAt(pos) !== 0x22) throw scan.unexpected(pos, 'a quoted key');
        const keyEnd = scan.string(pos);
        const raw = text.slice(keyStart + 1, keyEnd - 1);
        const nameIndex = shape.indexes.get(raw.includes('\\') ? decodeString(raw) : raw);
        const start = scan.space(scan.colon(keyEnd));
        scan.traits = 0;
        pos = scan.skip(start, this.depth + 1);
        if (nameIndex !== undefined) {
          this.starts[nameIndex] = start;
          this.ends[nameIndex] = pos;
          this.met[nameIndex] = scan.traits;
        } else if (!shape.open)
          this.problems.add(this.path(decodeString(raw)), 'no field of this name', describe(text, start));
        pos = scan.space(pos);
        const after = text.charCodeAt(pos);
        if (after !== 0x2c && after !== 0x7d) throw scan.unexpected(pos, "',' or '}'");
        pos++;
        if (after === 0x7d) break;
        pos = scan.space(pos);
      }
    }
    for (let nameIndex = 0; nameIndex < shape.names.length; nameIndex++) {
      if (this.starts[nameIndex] === -1 && shape.required[nameIndex])
        this.problems.add(this.path(shape.names[nameIndex]), 'a value', 'nothing');
    }
    return pos;
  }

  inner<E extends string>(name: K, shape: Shape<E>): Members<E> {
    const inner = new Members(this.scan, shape, this.problems, this.depth + 1);
    inner.base = this.path(name);
    inner.open(this.start(name));
    return inner;
  }

  has(name: K): boolean {
    return this.starts[this.indexOf(name)] !== -1;
  }

  kind(name: K): JsonKind | undefined {
    const start = this.starts[this.indexOf(name)]!;
    return start === -1 ? undefined : kindAt(this.scan.text, start);
  }

  start(name: K): number {
    return this.starts[this.indexOf(name)]!;
  }

  end(name: K): number {
    return this.ends[this.indexOf(name)]!;
  }

  traits(name: K): number {
    return this.met[this.indexOf(name)]!;
  }

  raw(name: K): string {
    return this.scan.text.slice(this.start(name), this.end(name));
  }

  path(name?: string): string {
    const base = typeof this.base === 'string' ? this.base : this.base();
    const object = this.index < 0 ? base : `${base}[${this.index}]`;
    return name === undefined ? object || 'the document' : object === '' ? name : `${object}.${name}`;
  }

  wrong(name: K, expected: string, found?: string): void {
    const start = this.start(name);
    this.problems.add(this.path(name), expected, found ?? (start === -1 ? 'nothing' : describe(this.scan.text, start)));
  }

  /** Refuses U+0000, which PostgreSQL's type text cannot store. */
  text(name: K): string {
    return this.textOrNull(name, false) ?? '';
  }

  textOrNull(name: K, nullable = true): string | null {
    const nameIndex = this.indexOf(name);
    const start = this.starts[nameIndex]!;
    if (start === -1) return null;
    const kind = kindAt(this.scan.text, start);
    if (kind === 'string') {
      const inner = this.scan.text.slice(start + 1, this.ends[nameIndex]! - 1);
      if ((this.met[nameIndex]! & trait.escape) === 0) return inner;
      const text = decodeString(inner);
      if (text.includes('\0')) this.wrong(name, 'a string without U+0000', 'one with it');
      return text;
    }
    if (kind !== 'null' || !nullable) this.wrong(name, nullable ? 'a string or null' : 'a string');
    return null;
  }

  canonicalText(name: K, text: string): string {
    return (this.traits(name) & trait.escape) === 0 ? this.raw(name) : encodeString(text);
  }

  boolean(name: K): boolean {
    return this.booleanOrNull(name, false) ?? false;
  }

  booleanOrNull(name: K, nullable = true): boolean | null {
    const start = this.start(name);
    if (start === -1) return null;
    const kind = kindAt(this.scan.text, start);
    if (kind === 'boolean') return this.scan.text.charCodeAt(start) === 0x74;
    if (kind !== 'null' || !nullable) this.wrong(name, nullable ? 'a boolean or null' : 'a boolean');
    return null;
  }

  /** `bits` includes the sign. Refuses a point or an exponent. */
  integer(name: K, bits: number): number {
    return this.integerOrNull(name, bits, false) ?? 0;
  }

  integerOrNull(name: K, bits: number, nullable = true): number | null {
    const start = this.start(name);
    if (start === -1) return null;
    const kind = kindAt(this.scan.text, start);
    if (kind === 'number') {
      const raw = this.raw(name);
      const value = Number(raw);
      const limit = 2 ** (bits - 1);
      if (isInteger(raw) && value >= -limit && value < limit) return value + 0;
      this.wrong(
        name,
        `an integer of ${bits} bits`,
        isInteger(raw) ? 'a larger one' : 'a number with a point or an exponent',
      );
    } else if (kind !== 'null' || !nullable) this.wrong(name, nullable ? 'an integer or null' : 'an integer');
    return null;
  }

  uuidOrNull(name: K, nullable = true): string | null {
    const text = this.textOrNull(name, nullable);
    if (text === null) return null;
    const uuid = readUuid(text);
    if (uuid === undefined) this.wrong(name, 'a UUID', quoted(text));
    return uuid ?? null;
  }

  strictTime(name: K): IsoTime {
    const kind = this.kind(name);
    if (kind === 'string') {
      const text = this.text(name);
      const time = readStrictTime(text);
      if (time !== undefined) return time;
      this.wrong(name, 'an ISO 8601 time with an offset', quoted(text));
    } else if (kind !== undefined) this.wrong(name, 'an ISO 8601 time with an offset');
    return '';
  }

  /** Accepts all time formats of commands other than `store report`, including milliseconds since 1970. */
  time(name: K): IsoTime {
    return this.timeOrNull(name, false) ?? '';
  }

  timeOrNull(name: K, nullable = true): IsoTime | null {
    const kind = this.kind(name);
    if (kind === undefined || (kind === 'null' && nullable)) return null;
    const expected = 'an ISO 8601 time or milliseconds since 1970';
    if (kind === 'string' || (kind === 'number' && isInteger(this.raw(name)))) {
      const text = kind === 'string' ? this.text(name) : this.raw(name);
      const time = kind === 'string' ? readTime(text) : timeOfEpoch(Number(text));
      if (time !== undefined) return time;
      this.wrong(name, expected, quoted(text));
    } else this.wrong(name, nullable ? `${expected}, or null` : expected);
    return null;
  }

  /**
   * Returns whether the member is an array. Adds a problem if the member has another kind, unless it is absent or an
   * allowed null. `of` describes the elements in the message.
   */
  isArray(name: K, { nullable = false, of = '' }: { readonly nullable?: boolean; readonly of?: string } = {}): boolean {
    const kind = this.kind(name);
    if (kind !== 'array' && kind !== undefined && !(nullable && kind === 'null'))
      this.wrong(name, `an array${of}${nullable ? ' or null' : ''}`);
    return kind === 'array';
  }

  private indexOf(name: K): number {
    return this.shape.indexes.get(name)!;
  }
}
