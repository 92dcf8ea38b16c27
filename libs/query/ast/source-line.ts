import { longestExcerpt } from '#fault';

/** `line` and `column` count from 1. */
interface SourceLine {
  readonly line: number;
  readonly column: number;
  /** The text of the line, or an excerpt around the position if the line is long. */
  readonly shown: string;
  /** Column of the position within `shown`, counted from 1. */
  readonly shownColumn: number;
}

/** The index can equal the length of the text. */
export function sourceLine(text: string, index: number): SourceLine {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < index; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  const whole = end < 0 ? text.length : end;
  const column = Math.min(index, text.length) - start + 1;
  const first = whole - start <= longestExcerpt ? start : Math.max(start, index - longestExcerpt / 2);
  const shown = text.slice(first, Math.min(whole, first + longestExcerpt));
  return {
    line,
    column,
    shown: shown.endsWith('\r') ? shown.slice(0, -1) : shown,
    shownColumn: column - (first - start),
  };
}

export function lineAndColumn(text: string, index: number): string {
  const { line, column } = sourceLine(text, index);
  return `line ${line}, column ${column}`;
}
