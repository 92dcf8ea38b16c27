import { Fault, excerpt, nearest } from '#fault';
import type { Limits } from '#limits';
import type { Language } from '../operators/language';
import type { AstJson } from '../ast/json';
import { NodeCount } from '../ast/node-count';
import { sourceLine } from '../ast/source-line';
import { advice } from './advice';

/**
 * Reads a PQL text from left to right. For error messages, remembers the furthest position at which a match failed, and
 * the words that would have matched there.
 */
export class Scanner {
  position = 0;
  private furthest = 0;
  private expected = new Set<string>();
  private closing?: { readonly from: number; readonly at: number };

  readonly count: NodeCount;

  /** Throws `query.limit` if the text is too long. */
  constructor(
    readonly text: string,
    limits: Limits,
    readonly language: Language,
    /** If given, this map receives the position at which each condition, column and query begins in the text. */
    private readonly starts?: Map<AstJson, number>,
  ) {
    this.count = new NodeCount(limits, text);
  }

  take(literal: string): boolean {
    if (this.text.startsWith(literal, this.position)) {
      this.position += literal.length;
      return true;
    }
    this.missed(`'${literal}'`);
    return false;
  }

  /** The pattern must be sticky. `label` is its name in error messages. */
  match(pattern: RegExp, label?: string): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (found === null) {
      if (label !== undefined) this.missed(label);
      return undefined;
    }
    this.position = pattern.lastIndex;
    return found[0];
  }

  blanks(): boolean {
    const start = this.position;
    while (isBlank(this.text.charCodeAt(this.position))) this.position++;
    return this.position > start;
  }

  startsAt<T extends AstJson>(position: number, list: T): T {
    this.starts?.set(list, position);
    return list;
  }

  /**
   * Returns the position of the next `)` at or after `from`, or undefined if the rest of the line has no `)`. Caches
   * the position, so that no text is searched twice.
   */
  closingBracket(from: number): number | undefined {
    if (this.closing === undefined || from < this.closing.from || from > this.closing.at) {
      const found = /[)\n]/g;
      found.lastIndex = from;
      this.closing = { from, at: found.exec(this.text)?.index ?? this.text.length };
    }
    return this.text[this.closing.at] === ')' ? this.closing.at : undefined;
  }

  peek(): string {
    return this.text.charAt(this.position);
  }

  missed(label: string): void {
    if (this.position > this.furthest) {
      this.furthest = this.position;
      this.expected = new Set();
    }
    if (this.position === this.furthest) this.expected.add(label);
  }

  /**
   * Makes the fault for the furthest position at which a match failed. The message lists all words that would have been
   * valid there.
   */
  failure(): Fault {
    return this.fault(this.furthest, this.expectation());
  }

  /** Creates the error for a text that is grammatically valid, but that the language does not allow. */
  fault(position: number, problem: string): Fault {
    const { line, column, shown, shownColumn } = sourceLine(this.text, position);
    return new Fault(
      'malformed',
      'pql.syntax',
      `PQL parse error at line ${line}, column ${column}:\n\n${shown}\n${' '.repeat(shownColumn - 1)}^\n\n${problem}`,
      { details: { line, column, expected: [...this.expected] } },
    );
  }

  private expectation(): string {
    const labels = [...this.expected];
    const expected = labels.length === 1 ? `Expected ${labels[0]}` : `Expected one of ${labels.join(', ')}`;
    const word = /[\w-]+\??/y;
    word.lastIndex = this.furthest;
    const found = word.exec(this.text)?.[0];
    const names = labels.filter((label) => /^'\w[\w ]*'$/.test(label)).map((label) => label.slice(1, -1));
    const meant = found === undefined ? undefined : nearest(found, names);
    const at =
      this.furthest >= this.text.length
        ? 'the end of the query'
        : `'${found === undefined ? String.fromCodePoint(this.text.codePointAt(this.furthest)!) : excerpt(found)}'`;
    const advised = advice(this.text, this.furthest, this.expected);
    const more = advised === '' && meant !== undefined ? ` Did you mean '${meant}'?` : advised;
    return `${expected}, found ${at}.${more}`;
  }
}

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
