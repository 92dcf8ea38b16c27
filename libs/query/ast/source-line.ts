import { longestExcerpt } from '#fault';

/** Where in a text something is, for people: line and column count from 1. */
interface SourceLine {
  readonly line: number;
  readonly column: number;
  /** The line, or the text around the index if the line is long. */
  readonly shown: string;
  /** The column within `shown`. */
  readonly shownColumn: number;
}

/** Returns the line and column of an index, which may be the one after the end of the text. */
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

/** Returns the line and column of an index as text: `line 1, column 7`. */
export function lineAndColumn(text: string, index: number): string {
  const { line, column } = sourceLine(text, index);
  return `line ${line}, column ${column}`;
}
