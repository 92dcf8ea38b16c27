import { Fault } from '#fault';
import { defaultLimits, type Limits, limitTable, overLimit } from '#limits';

/**
 * Levels of arrays and objects that a document may nest at most, the outermost counted, whatever the settings say. The
 * reference's JSON reader stops at the same depth; PostgreSQL's jsonb and our own recursion hold more.
 */
export const maxDepth = limitTable.documentDepth.to;

/** Digits (before and after the point, without the exponent) that a number may have; the limit of the reference. */
export const maxNumberDigits = 1000;

/** What a scan met since `traits` was last set to 0. Slices without traits are ready for jsonb as they are. */
export const trait = {
  /** An escape sequence or a bare control character stands in a string. */
  escape: 1,
  /** A number that is not an integer in its shortest form: it goes through a double. */
  respelt: 2,
  /** U+0000 stands in an object's key. */
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

/** Of each level that a scan is in, whether it is an object. One scan is at work at a time. */
const inObject = new Uint8Array(maxDepth + 1);

/**
 * Finds values in a JSON text without building them. The grammar is RFC 8259 with the one liberty that the reference
 * takes: control characters may stand in strings unescaped. Faults: `wire.json` and `wire.number`, each with the offset in
 * UTF-16 units, and `wire.limit`.
 */
export class JsonScan {
  traits = 0;

  private readonly maxDepth: number;

  constructor(
    readonly text: string,
    /** What the document may have at most. Readers of its parts find them here. */
    readonly limits: Limits = defaultLimits,
  ) {
    this.maxDepth = Math.min(maxDepth, limits.documentDepth);
  }

  /** The offset of the first character at or after `pos` that is not white space. */
  space(pos: number): number {
    const text = this.text;
    let c = text.charCodeAt(pos);
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = text.charCodeAt(++pos);
    return pos;
  }

  /** Checks the value at or after `pos` and returns the offset behind it. `depth`: levels that already enclose it. */
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

  /** Checks the key at `pos` and the colon after it; returns the offset behind the colon. */
  key(pos: number): number {
    if (this.text.charCodeAt(pos) !== quote) throw this.unexpected(pos, 'a quoted key');
    const before = this.traits;
    this.traits = 0;
    const end = this.string(pos);
    // The raw text is enough: a backslash before `u0000` that is itself escaped only makes the answer too careful.
    if (this.traits !== 0 && /\\u0000|\0/.test(this.text.slice(pos, end))) this.traits |= trait.nulKey;
    this.traits |= before;
    return this.colon(end);
  }

  /** Checks the colon at or after `pos`; returns the offset behind it. */
  colon(pos: number): number {
    pos = this.space(pos);
    if (this.text.charCodeAt(pos) !== colon) throw this.unexpected(pos, "':'");
    return pos + 1;
  }

  /** Checks the string whose quote stands at `pos`; returns the offset behind its closing quote. */
  string(pos: number): number {
    const text = this.text;
    let c = text.charCodeAt(++pos);
    while (c > backslash || (c !== quote && c !== backslash && c >= 0x20)) c = text.charCodeAt(++pos);
    return c === quote ? pos + 1 : this.unusualString(pos);
  }

  /** The rest of a string from the first character on that is written as an escape, or should be. */
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

  /** The fault for something at `pos` that cannot stand there. */
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
