import { Fault } from '#fault';
import { nearest } from './nearest';

/**
 * Reads a PQL text from left to right. It remembers the furthest place where something failed to match and what
 * would have matched there: that is what an error names, because all that lies before was understood.
 */
export class Scanner {
  position = 0;
  private furthest = 0;
  private expected = new Set<string>();

  constructor(readonly text: string) {}

  /** Moves past `literal` if it stands here. */
  take(literal: string): boolean {
    if (this.text.startsWith(literal, this.position)) {
      this.position += literal.length;
      return true;
    }
    this.missed(`'${literal}'`);
    return false;
  }

  /** Moves past what a sticky expression matches here and gives it. `label` names it in an error. */
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

  /** Moves past blanks; false when there are none. */
  blanks(): boolean {
    const start = this.position;
    while (isBlank(this.text.charCodeAt(this.position))) this.position++;
    return this.position > start;
  }

  /** The character here; empty at the end. */
  peek(): string {
    return this.text.charAt(this.position);
  }

  /** Notes that `label` would have been right here. */
  missed(label: string): void {
    if (this.position > this.furthest) {
      this.furthest = this.position;
      this.expected = new Set();
    }
    if (this.position === this.furthest) this.expected.add(label);
  }

  /** The fault for a text that does not parse: the furthest place and all that could have stood there. */
  failure(): Fault {
    return this.fault(this.furthest, this.expectation());
  }

  /** A fault at a place that the grammar accepts but the language does not. */
  fault(position: number, problem: string): Fault {
    const { line, column, text } = place(this.text, position);
    const excerpt =
      text.length <= 200
        ? [text, column]
        : [text.slice(Math.max(0, column - 100), column + 100), Math.min(column, 101)];
    return new Fault(
      'malformed',
      'pql.syntax',
      `PQL parse error at line ${line}, column ${column}:\n\n${excerpt[0]}\n${' '.repeat(Number(excerpt[1]) - 1)}^\n\n${problem}`,
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
        : `'${found ?? String.fromCodePoint(this.text.codePointAt(this.furthest)!)}'`;
    return `${expected}, found ${at}.${meant === undefined ? '' : ` Did you mean '${meant}'?`}`;
  }
}

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

function place(text: string, position: number): { line: number; column: number; text: string } {
  const before = text.slice(0, position);
  const start = before.lastIndexOf('\n') + 1;
  const end = text.indexOf('\n', position);
  return {
    line: before.split('\n').length,
    column: position - start + 1,
    text: text.slice(start, end === -1 ? text.length : end).replace(/\r$/, ''),
  };
}
