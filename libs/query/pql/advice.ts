import { excerpt } from '#fault';
import { placeOf } from '../ast/source-line';

/** What to do about a text that cannot be read at `at`, where a newcomer may not guess it; empty otherwise. */
export function advice(text: string, at: number, expected: ReadonlySet<string>): string {
  if (at >= text.length) return unclosed(text);
  if (expected.has("'and'") && (text[at] === '&' || text[at] === '|'))
    return " Conditions are joined by 'and' and 'or'.";
  if (!expected.has('a quoted text')) return '';
  const word = /[\w.:-]+/y;
  word.lastIndex = at;
  const found = word.exec(text)?.[0];
  if (found !== undefined) return ` Put text in quotes: "${excerpt(found)}".`;
  return text.startsWith('=', at) && text[at - 1] === '=' ? " Equality is written '=', not '=='." : '';
}

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/** Names the innermost bracket that the text leaves open. */
function unclosed(text: string): string {
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"' || character === "'") at = endOfString(text, at);
    else if (closing[character] !== undefined) open.push(at);
    else if (character === closing[text.charAt(open.at(-1) ?? text.length)]) open.pop();
  }
  const last = open.at(-1);
  if (last === undefined) return '';
  return ` The '${text.charAt(last)}' at ${placeOf(text, last)} is not closed.`;
}

function endOfString(text: string, start: number): number {
  const quote = text[start];
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
  return at;
}
