import { longestExcerpt } from '#fault';

/** Where in a text something is, for people: line and column count from 1. */
interface SourceLine {
  readonly line: number;
  readonly column: number;
  /** The line, or what is around the place where the line is long. */
  readonly shown: string;
  /** The column within `shown`. */
  readonly shownColumn: number;
}

/** The place of an index; one behind the end of the text is a place too. */
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

/** The place of an index in words: `line 1, column 7`. */
export function placeOf(text: string, index: number): string {
  const { line, column } = sourceLine(text, index);
  return `line ${line}, column ${column}`;
}
