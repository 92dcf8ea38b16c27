import { decodeString, encodeString } from './strings';
import { spellNumber, spellNumberInAnswers, spellNumberPlain } from './numbers';

/** How a value is written anew. */
export interface Style {
  readonly spell: (number: string) => string;
  /** False: U+0000 becomes U+FFFD, as PostgreSQL can hold none. */
  readonly keepNul: boolean;
}

/** What content hashes are made of. */
export const canonicalStyle: Style = { spell: spellNumber, keepNul: true };
/** For jsonb columns, and for event values in answers. */
export const storedStyle: Style = { spell: spellNumber, keepNul: false };
/** For json columns whose answers look as if they were jsonb. */
export const plainStyle: Style = { spell: spellNumberPlain, keepNul: false };
/** As answers of `/facts` spell values. */
export const answerStyle: Style = { spell: spellNumberInAnswers, keepNul: false };

/**
 * Writes a checked JSON value anew: compact, keys sorted by UTF-16 unit (the last of equal keys wins), strings and
 * numbers in one spelling. Recursion is bounded by the depth that the scan admits.
 */
export function rewrite(text: string, start: number, style: Style): string {
  return new Rewriter(text, start, style).value();
}

class Rewriter {
  /** Whether the string written last stands in the text as it is. */
  private plain = true;

  constructor(
    private readonly text: string,
    private pos: number,
    private readonly style: Style,
  ) {}

  value(): string {
    const text = this.text;
    const c = this.next();
    if (c === 0x22) return this.string();
    if (c === 0x7b) {
      this.pos++;
      if (this.next() === 0x7d) {
        this.pos++;
        return '{}';
      }
      const keys: string[] = [];
      const members: string[] = [];
      let sorted = true;
      for (;;) {
        this.next();
        const keyStart = this.pos + 1;
        const key = this.string();
        const name = this.plain ? text.slice(keyStart, this.pos - 1) : decodeString(key.slice(1, -1));
        this.next();
        this.pos++; // colon
        if (sorted && keys.length > 0 && name <= keys[keys.length - 1]!) sorted = false;
        keys.push(name);
        members.push(`${key}:${this.value()}`);
        const after = this.next();
        this.pos++;
        if (after === 0x7d) return `{${sorted ? members.join(',') : joinSorted(keys, members)}}`;
      }
    }
    if (c === 0x5b) {
      this.pos++;
      if (this.next() === 0x5d) {
        this.pos++;
        return '[]';
      }
      let items = '';
      for (;;) {
        items = items === '' ? this.value() : `${items},${this.value()}`;
        const after = this.next();
        this.pos++;
        if (after === 0x5d) return `[${items}]`;
      }
    }
    const start = this.pos;
    let end = start + 1;
    for (let d = text.charCodeAt(end); isTokenCharacter(d); d = text.charCodeAt(end)) end++;
    this.pos = end;
    const token = text.slice(start, end);
    return c >= 0x61 ? token : this.style.spell(token);
  }

  private next(): number {
    const text = this.text;
    let c = text.charCodeAt(this.pos);
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = text.charCodeAt(++this.pos);
    return c;
  }

  private string(): string {
    const text = this.text;
    const start = this.pos;
    let plain = true;
    let pos = start;
    for (;;) {
      const c = text.charCodeAt(++pos);
      if (c > 0x5c) continue;
      if (c === 0x22) break;
      if (c === 0x5c) {
        plain = false;
        pos++;
      } else if (c < 0x20) plain = false;
    }
    this.pos = pos + 1;
    this.plain = plain;
    if (plain) return text.slice(start, pos + 1);
    const decoded = decodeString(text.slice(start + 1, pos));
    return encodeString(this.style.keepNul ? decoded : decoded.replaceAll('\0', '\uFFFD'));
  }
}

/** Digits, letters, `+`, `-`, `.`: what numbers and literals are made of. */
function isTokenCharacter(c: number): boolean {
  return (c >= 0x30 && c <= 0x39) || (c >= 0x61 && c <= 0x7a) || c === 0x2e || c === 0x2b || c === 0x2d || c === 0x45;
}

/** From how many members on insertion is no longer the fastest way to sort. */
const insertionLimit = 24;

/** Joins members in the order of their keys; of equal keys the last counts. */
function joinSorted(keys: string[], members: string[]): string {
  if (keys.length > insertionLimit) {
    const last = new Map<string, string>();
    for (let i = 0; i < keys.length; i++) last.set(keys[i]!, members[i]!);
    return [...last.keys()]
      .sort(byUnits)
      .map((key) => last.get(key)!)
      .join();
  }
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]!;
    const member = members[i]!;
    let j = i;
    for (; j > 0 && keys[j - 1]! > key; j--) {
      keys[j] = keys[j - 1]!;
      members[j] = members[j - 1]!;
    }
    keys[j] = key;
    members[j] = member;
  }
  let joined = '';
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] === keys[i + 1]) continue;
    joined = joined === '' ? members[i]! : `${joined},${members[i]!}`;
  }
  return joined;
}

/** Order by UTF-16 code unit: what `<` compares. */
export function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
