import { Fault } from '#fault';
import { defaultLimits, type Limits, limitTable, overLimit } from '#limits';

/**
 * Largest depth of arrays and objects in a document, including the outermost. PuppetDB's JSON parser has the same
 * limit, so no setting can raise it.
 */
export const maxDepth = limitTable.documentDepth.value;

/**
 * Largest total of digits before and after the point of a number, without the digits of the exponent. PuppetDB has the
 * same limit.
 */
export const maxNumberDigits = 1000;

/**
 * Traits of the text that was scanned since `traits` was last set to 0. A slice without traits can be passed to jsonb
 * unchanged.
 */
export const trait = {
  /** A string contains an escape sequence or an unescaped control character. */
  escape: 1,
  /** A number is not an integer in its shortest form, so it must be converted through a double. */
  respelt: 2,
  /** The key of an object contains U+0000. */
  nulKey: 4,
} as const;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;

const isDigit = (c: number): boolean => c >= zero && c <= nine;
const isHex = (c: number): boolean => isDigit(c) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);

/** Whether each level of the scan is an object. All scans share this array, because only one scan runs at a time. */
const inObject = new Uint8Array(maxDepth + 1);

/**
 * Finds values in a JSON text without building them. The grammar is RFC 8259, but strings may contain unescaped control
 * characters, as in PuppetDB. Throws `wire.limit`, `wire.json` or `wire.number`. The last two contain the offset in
 * UTF-16 units.
 */
export class JsonScan {
  traits = 0;

  private readonly maxDepth: number;

  constructor(
    readonly text: string,
    readonly limits: Limits = defaultLimits,
  ) {
    this.maxDepth = Math.min(maxDepth, limits.documentDepth);
  }

  space(pos: number): number {
    const text = this.text;
    let c = text.charCodeAt(pos);
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = text.charCodeAt(++pos);
    return pos;
  }

  /**
   * Checks the value at or after `pos`, and returns the offset after it. `depth` is the number of levels that enclose
   * the value.
   */
  skip(pos: number, depth = 0): number {
    const text = this.text;
    const outer = depth;
    for (;;) {
      let c = text.charCodeAt(pos);
      while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = text.charCodeAt(++pos);
      if (c === quote) pos = this.string(pos);
      else if (c === openBrace || c === openBracket) {
        if (++depth > this.maxDepth) throw overLimit(this.limits, 'documentDepth');
        const object = c === openBrace;
        inObject[depth] = object ? 1 : 0;
        pos = this.space(pos + 1);
        c = text.charCodeAt(pos);
        if (c === (object ? closeBrace : closeBracket)) {
          pos++;
          depth--;
        } else {
          if (object) pos = this.key(pos);
          continue;
        }
      } else if (c === minus || isDigit(c)) pos = this.number(pos);
      else pos = this.literal(pos);

      for (;;) {
        if (depth === outer) return pos;
        c = text.charCodeAt(pos);
        while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = text.charCodeAt(++pos);
        const object = inObject[depth] === 1;
        if (c === comma) {
          pos++;
          if (object) pos = this.key(this.space(pos));
          break;
        }
        if (c !== (object ? closeBrace : closeBracket))
          throw this.unexpected(pos, object ? "',' or '}'" : "',' or ']'");
        pos++;
        depth--;
      }
    }
  }

  /** Checks the key at `pos` and the colon after the key. Returns the offset after the colon. */
  key(pos: number): number {
    if (this.text.charCodeAt(pos) !== quote) throw this.unexpected(pos, 'a quoted key');
    const before = this.traits;
    this.traits = 0;
    const end = this.string(pos);
    // Searches the raw text. If the backslash before `u0000` is itself escaped, the trait only causes unnecessary work.
    if (this.traits !== 0 && /\\u0000|\0/.test(this.text.slice(pos, end))) this.traits |= trait.nulKey;
    this.traits |= before;
    return this.colon(end);
  }

  colon(pos: number): number {
    pos = this.space(pos);
    if (this.text.charCodeAt(pos) !== colon) throw this.unexpected(pos, "':'");
    return pos + 1;
  }

  /** Checks the string that begins at `pos`, and returns the offset after its closing quote. */
  string(pos: number): number {
    const text = this.text;
    let c = text.charCodeAt(++pos);
    while (c > backslash || (c !== quote && c !== backslash && c >= 0x20)) c = text.charCodeAt(++pos);
    return c === quote ? pos + 1 : this.unusualString(pos);
  }

  private unusualString(pos: number): number {
    this.traits |= trait.escape;
    for (;;) {
      const c = this.text.charCodeAt(pos);
      if (c === quote) return pos + 1;
      if (c === backslash) pos = this.escape(pos);
      else if (Number.isNaN(c)) throw this.unexpected(pos, 'the end of a string');
      pos++;
    }
  }

  unexpected(pos: number, expected: string): Fault {
    const c = this.text.charCodeAt(pos);
    const found = Number.isNaN(c)
      ? 'the end of the text'
      : `the character U+${c.toString(16).toUpperCase().padStart(4, '0')}`;
    return new Fault('malformed', 'wire.json', `Not JSON: ${expected} was expected at offset ${pos}, found ${found}.`, {
      details: [{ path: `offset ${pos}`, expected, found }],
    });
  }

  private escape(pos: number): number {
    const text = this.text;
    switch (text.charCodeAt(pos + 1)) {
      case quote:
      case backslash:
      case 0x2f: // slash
      case 0x62: // b
      case 0x66: // f
      case 0x6e: // n
      case 0x72: // r
      case 0x74: // t
        return pos + 1;
      case 0x75: // u
        for (let i = 2; i < 6; i++)
          if (!isHex(text.charCodeAt(pos + i))) throw this.unexpected(pos + i, 'a hexadecimal digit');
        return pos + 5;
      default:
        throw this.unexpected(pos + 1, 'an escape sequence');
    }
  }

  private number(start: number): number {
    const text = this.text;
    let pos = start;
    let c = text.charCodeAt(pos);
    if (c === minus) c = text.charCodeAt(++pos);
    const first = pos;
    if (c === zero) c = text.charCodeAt(++pos);
    else if (isDigit(c)) {
      do c = text.charCodeAt(++pos);
      while (isDigit(c));
    } else throw this.unexpected(pos, 'a digit');
    let digits = pos - first;
    let respelt = digits === 1 && first !== start && text.charCodeAt(first) === zero;
    if (c === 0x2e) {
      const point = pos;
      pos = this.digits(pos + 1);
      digits += pos - point - 1;
      c = text.charCodeAt(pos);
      respelt = true;
    }
    if (digits > maxNumberDigits) throw this.numberFault(start, pos, `has more than ${maxNumberDigits} digits`);
    let exponent = false;
    if (c === 0x65 || c === 0x45) {
      c = text.charCodeAt(pos + 1);
      pos = this.digits(c === 0x2b || c === minus ? pos + 2 : pos + 1);
      respelt = exponent = true;
    }
    if (respelt) {
      this.traits |= trait.respelt;
      if ((exponent || digits > 308) && !Number.isFinite(Number(text.slice(start, pos))))
        throw this.numberFault(start, pos, 'is not finite as a double');
    }
    return pos;
  }

  private digits(pos: number): number {
    if (!isDigit(this.text.charCodeAt(pos))) throw this.unexpected(pos, 'a digit');
    do pos++;
    while (isDigit(this.text.charCodeAt(pos)));
    return pos;
  }

  private literal(pos: number): number {
    for (const word of ['true', 'false', 'null']) if (this.text.startsWith(word, pos)) return pos + word.length;
    throw this.unexpected(pos, 'a value');
  }

  private numberFault(start: number, end: number, problem: string): Fault {
    const number = end - start > 24 ? `${this.text.slice(start, start + 24)}…` : this.text.slice(start, end);
    return new Fault('malformed', 'wire.number', `The number ${number} at offset ${start} ${problem}.`, {
      details: [{ path: `offset ${start}`, expected: 'a finite number', found: number }],
    });
  }
}
