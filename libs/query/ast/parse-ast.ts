import { excerpt } from '#fault';
import { defaultLimits, type Limits } from '#limits';
import { malformed } from './malformed';
import { type AstJson, NumberText, displayAst } from './json';
import { NodeCount } from './node-count';
import { lineAndColumn, sourceLine } from './source-line';

const validValue = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

// These patterns are sticky, so that they match only at the current position of the reader.
const blankCharacters = /[ \t\r\n]*/y;
const plainCharacters = /[^"\\\0-\x1f]*/y;
const numberShape = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordShape = /[A-Za-z_$0-9\u00a0-\uffff]*/y;

/** A strict JSON parser with the error messages of PuppetDB. Columns in messages count from 1. */
class Reader {
  private at = 0;
  constructor(
    private readonly text: string,
    private readonly count: NodeCount,
  ) {}

  document(): AstJson {
    const value = this.value();
    this.blanks();
    if (this.at < this.text.length) {
      const rest = this.text[this.at] ?? '';
      if (rest === ']' || rest === '}')
        this.fail(this.at + 1, `Unexpected close marker '${rest}': expected '${rest === ']' ? '}' : ']'}' (for root)`);
      const more = this.value();
      throw malformed(
        'several',
        `Only one query may be sent in a request. Found JSON (${displayAst(more)}) after the query ${displayAst(value)}`,
      );
    }
    return value;
  }

  private value(): AstJson {
    this.blanks();
    this.count.add();
    const character = this.text[this.at];
    if (character === undefined) this.fail(this.at, `Unexpected end-of-input: expected a valid value ${validValue}`);
    if (character === '"') return this.string();
    if (character === '[' || character === '{') {
      this.count.enter();
      const value = character === '[' ? this.list() : this.map();
      this.count.leave();
      return value;
    }
    if (character === '-' || (character >= '0' && character <= '9')) return this.number();
    return this.token();
  }

  private token(): AstJson {
    wordShape.lastIndex = this.at;
    const found = wordShape.exec(this.text)?.[0] ?? '';
    if (found === '')
      this.fail(
        this.at + 1,
        `Unexpected character (${this.shown(this.at)}): expected a valid value ${validValue}`,
        this.misplaced(),
      );
    const start = this.at;
    this.at += found.length;
    if (found === 'null') return null;
    if (found === 'true') return true;
    if (found === 'false') return false;
    return this.fail(
      this.at,
      `Unrecognized token '${excerpt(found)}': was expecting ${validValue}`,
      this.misspelt(found, start),
    );
  }

  private misspelt(word: string, start: number): string {
    if (this.text.slice(0, start).trim() === '')
      return 'JSON queries begin with [, such as ["=", "certname", "web1"]. PQL is asked at /pdb/query/v4.';
    const first = word.charAt(0);
    if (/[“”„‘’«»]/.test(first)) return `JSON takes text in plain double quotes, not in ${first}.`;
    return `Put text in double quotes: "${excerpt(word)}".`;
  }

  private misplaced(): string | undefined {
    const before = this.text.slice(0, this.at).trimEnd();
    const character = this.text[this.at] ?? '';
    if (character === "'") return 'JSON takes text in double quotes, not in single ones.';
    if (before.endsWith(',') && /[\]}]/.test(character)) return `There is a comma too many before the ${character}.`;
    if (character === ',' && before.endsWith(']')) return 'Join several conditions: ["and", condition, …].';
    return undefined;
  }

  private number(): NumberText {
    const start = this.at;
    numberShape.lastIndex = start;
    const found = numberShape.exec(this.text)?.[0];
    if (found === undefined)
      this.fail(
        start + 2,
        `Unexpected character (${this.shown(start + 1)}) in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value`,
      );
    this.at = start + found.length;
    const next = this.text[this.at] ?? '';
    if (/\d/.test(next)) this.fail(this.at, 'Invalid numeric value: Leading zeroes not allowed');
    if (next === '.')
      this.fail(
        this.at + 1,
        `Unexpected character (${this.shown(this.at + 1)}) in numeric value: Decimal point not followed by a digit`,
      );
    if (/[A-Za-z_]/.test(next))
      this.fail(this.at + 1, `Unexpected character (${this.shown(this.at)}) in numeric value`);
    return new NumberText(found);
  }

  private string(): string {
    const start = this.at++;
    let isPlain = true;
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined)
        this.fail(
          this.at,
          'Unexpected end-of-input: was expecting closing quote for a string value',
          `The " at ${lineAndColumn(this.text, start)} is not closed.`,
        );
      if (character === '"') break;
      if (character < ' ')
        this.fail(
          this.at + 1,
          `Illegal unquoted character ((CTRL-CHAR, code ${character.charCodeAt(0)})): has to be escaped using backslash to be included in string value`,
        );
      if (character === '\\') {
        isPlain = false;
        this.escape();
      } else this.skip(plainCharacters);
    }
    this.at++;
    if (isPlain) return this.text.slice(start + 1, this.at - 1);
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }

  private escape(): void {
    const next = this.text[this.at + 1] ?? '';
    if (next === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(this.text.slice(this.at + 2, this.at + 6)))
        this.fail(this.at + 3, `Unexpected character (${this.shown(this.at + 2)}): expected a hex-digit`);
      this.at += 6;
    } else if (next !== '' && '"\\/bfnrt'.includes(next)) this.at += 2;
    else this.fail(this.at + 2, `Unrecognized character escape ${this.shown(this.at + 1)}`);
  }

  private list(): AstJson[] {
    const start = this.at++;
    const members: AstJson[] = [];
    this.blanks();
    if (this.text[this.at] === ']') {
      this.at++;
      return members;
    }
    for (;;) {
      if (this.ended()) this.unclosed('Array', start);
      members.push(this.value());
      this.blanks();
      if (this.text[this.at] === ',') this.at++;
      else if (this.text[this.at] === ']') {
        this.at++;
        return members;
      } else this.noComma('Array', start, ']', '}');
    }
  }

  private map(): Map<string, AstJson> {
    const start = this.at++;
    const members = new Map<string, AstJson>();
    this.blanks();
    if (this.text[this.at] === '}') {
      this.at++;
      return members;
    }
    for (;;) {
      if (this.ended()) this.unclosed('Object', start);
      if (this.text[this.at] !== '"')
        this.fail(
          this.at + 1,
          `Unexpected character (${this.shown(this.at)}): was expecting double-quote to start field name`,
        );
      const key = this.string();
      this.blanks();
      if (this.text[this.at] !== ':')
        this.fail(
          this.at + 1,
          `Unexpected character (${this.shown(this.at)}): was expecting a colon to separate field name and value`,
        );
      this.at++;
      members.set(key, this.value());
      this.blanks();
      if (this.text[this.at] === ',') {
        this.at++;
        this.blanks();
      } else if (this.text[this.at] === '}') {
        this.at++;
        return members;
      } else this.noComma('Object', start, '}', ']');
    }
  }

  private noComma(what: 'Array' | 'Object', start: number, close: string, other: string): never {
    if (this.ended()) this.unclosed(what, start);
    if (this.text[this.at] === other)
      this.fail(
        this.at + 1,
        `Unexpected close marker '${other}': expected '${close}' (for ${what} starting at ${this.source(start)})`,
      );
    return this.fail(
      this.at + 1,
      `Unexpected character (${this.shown(this.at)}): was expecting comma to separate ${what} entries`,
    );
  }

  private unclosed(what: 'Array' | 'Object', start: number): never {
    return this.fail(
      this.at,
      `Unexpected end-of-input: expected close marker for ${what} (start marker at ${this.source(start)})`,
      `The ${what === 'Array' ? '[' : '{'} at ${lineAndColumn(this.text, start)} is not closed.`,
    );
  }

  private source(index: number): string {
    const { line, column } = sourceLine(this.text, index);
    return `[Source: (StringReader); line: ${line}, column: ${column}]`;
  }

  private ended(): boolean {
    this.blanks();
    return this.at >= this.text.length;
  }

  private blanks(): void {
    if (this.text.charCodeAt(this.at) <= 0x20) this.skip(blankCharacters);
  }

  /** The pattern must be sticky, and must also match the empty text. */
  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    pattern.test(this.text);
    this.at = pattern.lastIndex;
  }

  private shown(index: number): string {
    const character = this.text[index];
    return character === undefined ? 'end-of-input' : `'${character}' (code ${character.charCodeAt(0)})`;
  }

  private fail(index: number, problem: string, hint?: string): never {
    const { line, column, shown, shownColumn } = sourceLine(this.text, Math.min(index, this.text.length + 1));
    const caret = `${' '.repeat(Math.max(0, shownColumn - 2))}^`;
    throw malformed('json', `Json parse error at line ${line}, column ${column}:\n\n${shown}\n${caret}\n\n${problem}`, {
      hint,
      details: { line, column },
    });
  }
}

/** Throws `query.json` with line and column, or `query.limit`. */
export function parseAst(text: string, limits: Limits = defaultLimits): AstJson {
  return new Reader(text, new NodeCount(limits, text)).document();
}
