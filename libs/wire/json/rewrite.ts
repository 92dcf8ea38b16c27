import { decodeString, encodeString } from './strings';
import { spellNumber, spellNumberInAnswers, spellNumberPlain } from './numbers';

interface Style {
  readonly spell: (number: string) => string;
  /** Whether to keep U+0000. Otherwise U+0000 becomes U+FFFD, because PostgreSQL cannot store U+0000. */
  readonly keepNul: boolean;
}

/** Style for content hashes. */
export const canonicalStyle: Style = { spell: spellNumber, keepNul: true };
/** Style for jsonb columns, and for event values in answers. */
export const storedStyle: Style = { spell: spellNumber, keepNul: false };
/** Style for columns of type json. Their values look like jsonb in answers. */
export const plainStyle: Style = { spell: spellNumberPlain, keepNul: false };
/** Style for values in answers from `/facts`. */
export const answerStyle: Style = { spell: spellNumberInAnswers, keepNul: false };

/**
 * Writes compact text with sorted keys and one spelling for strings and numbers. Keys are sorted by UTF-16 unit. If a
 * key is repeated, its last value is used. The value must be valid JSON. Recurses at most to the depth that the scan
 * allows.
 */
export function rewrite(text: string, start: number, style: Style): string {
  return new Rewriter(text, start, style).value();
}

class Rewriter {
  /**
   * True if the last written value equals its source text. The result is then a slice of the text, and no strings are
   * joined.
   */
  private verbatim = true;

  constructor(
    private readonly text: string,
    private pos: number,
    private readonly style: Style,
  ) {}

  value(): string {
    switch (this.next()) {
      case 0x22:
        return this.string();
      case 0x7b:
        return this.object();
      case 0x5b:
        return this.array();
      default:
        return this.token();
    }
  }

  private object(): string {
    const { text } = this;
    const start = this.pos++;
    const keys: string[] = [];
    const members: string[] = [];
    let verbatim = true;
    let sorted = true;
    let c = this.next();
    if (c === 0x7d) return this.empty(start, '{}');
    for (;;) {
      const keyStart = this.pos;
      const key = this.string();
      const keyVerbatim = this.verbatim;
      const name = decodeString(keyVerbatim ? text.slice(keyStart + 1, this.pos - 1) : key.slice(1, -1));
      if (sorted && keys.length > 0 && name <= keys[keys.length - 1]!) sorted = false;
      keys.push(name);
      const keyEnd = this.pos;
      this.next();
      this.pos++;
      this.next();
      const close = this.pos === keyEnd + 1;
      const value = this.value();
      const memberVerbatim = keyVerbatim && close && this.verbatim;
      members.push(memberVerbatim ? text.slice(keyStart, this.pos) : `${key}:${value}`);
      const end = this.pos;
      c = this.next();
      verbatim &&= memberVerbatim && this.pos === end;
      this.pos++;
      if (c === 0x7d) break;
      const after = this.pos;
      this.next();
      verbatim &&= this.pos === after;
    }
    this.verbatim = verbatim && sorted && text.charCodeAt(start + 1) === 0x22;
    if (this.verbatim) return text.slice(start, this.pos);
    return `{${sorted ? members.join() : joinSorted(keys, members)}}`;
  }

  private array(): string {
    const { text } = this;
    const start = this.pos++;
    let c = this.next();
    if (c === 0x5d) return this.empty(start, '[]');
    // Undefined as long as the result equals the source text, because a slice of the source text then suffices.
    let items: string[] | undefined = this.pos === start + 1 ? undefined : [];
    let verbatimEnd = start + 1;
    for (;;) {
      const item = this.value();
      if (items === undefined && !this.verbatim)
        items = verbatimEnd === start + 1 ? [] : [text.slice(start + 1, verbatimEnd)];
      items?.push(item);
      const end = this.pos;
      verbatimEnd = end;
      c = this.next();
      let tight = this.pos === end;
      this.pos++;
      if (c !== 0x5d) {
        const after = this.pos;
        this.next();
        tight &&= this.pos === after;
      }
      if (!tight) items ??= [text.slice(start + 1, end)];
      if (c === 0x5d) break;
    }
    this.verbatim = items === undefined;
    return items === undefined ? text.slice(start, this.pos) : `[${items.join()}]`;
  }

  private empty(start: number, text: string): string {
    this.pos++;
    this.verbatim = this.pos === start + 2;
    return text;
  }

  private token(): string {
    const { text } = this;
    const start = this.pos;
    let end = start + 1;
    for (let c = text.charCodeAt(end); isTokenCharacter(c); c = text.charCodeAt(end)) end++;
    this.pos = end;
    const token = text.slice(start, end);
    const written = text.charCodeAt(start) >= 0x61 ? token : this.style.spell(token);
    this.verbatim = written === token;
    return written;
  }

  private string(): string {
    const { text } = this;
    const start = this.pos;
    let same = true;
    let pos = start;
    for (;;) {
      const c = text.charCodeAt(++pos);
      if (c > 0x5c) continue;
      if (c === 0x22) break;
      // The escapes `\/` and `\u…` must be rewritten. `encodeString` writes all other escapes as the text does.
      if (c === 0x5c) {
        const escape = text.charCodeAt(++pos);
        if (escape === 0x75 || escape === 0x2f) same = false;
      } else if (c < 0x20) same = false;
    }
    this.pos = pos + 1;
    this.verbatim = same;
    if (same) return text.slice(start, pos + 1);
    const decoded = decodeString(text.slice(start + 1, pos));
    return encodeString(this.style.keepNul ? decoded : decoded.replaceAll('\0', '\uFFFD'));
  }

  private next(): number {
    const { text } = this;
    let c = text.charCodeAt(this.pos);
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = text.charCodeAt(++this.pos);
    return c;
  }
}

function isTokenCharacter(c: number): boolean {
  return (c >= 0x30 && c <= 0x39) || (c >= 0x61 && c <= 0x7a) || c === 0x2e || c === 0x2b || c === 0x2d || c === 0x45;
}

const insertionLimit = 24;

function joinSorted(keys: string[], members: string[]): string {
  if (keys.length > insertionLimit) {
    const last = new Map<string, string>();
    for (let i = 0; i < keys.length; i++) last.set(keys[i]!, members[i]!);
    return [...last.keys()]
      .sort()
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
