import { excerpt, nearest } from '#fault';
import { checkLimit } from '#limits';
import type { AstJson } from '../ast/json';
import { pqlDottedFields } from './entities';
import { readString } from './literals';
import type { Scanner } from './scanner';

const plainField = /[a-zA-Z0-9_]+\??/y;
const word = /[a-zA-Z0-9_]+/y;
const plainElement = /[^\s.",[\]!<=>~]+(?:\[\d+\])?/y;
/** One element of a path inside the brackets of a function call. */
export const argumentElement = /[^\s.",[\]!<=>~)]+(?:\[\d+\])?/y;

/** Returns a dotted path unparsed, with its quotes, because ast/dotted-name.ts splits paths of PQL and of JSON. */
export function readField(scanner: Scanner, element = plainElement): string | undefined {
  const start = scanner.position;
  const name = scanner.match(plainField, 'a field');
  if (name === undefined) return undefined;
  scanner.count.add();
  if (pqlDottedFields(scanner.language).includes(name)) {
    while (scanner.take('.')) {
      if (!readElement(scanner, element)) return undefined;
    }
  }
  checkLimit(scanner.count.limits, 'queryName', scanner.position - start);
  return scanner.text.slice(start, scanner.position);
}

function readElement(scanner: Scanner, element: RegExp): boolean {
  if (scanner.peek() === '"') return readQuotedElement(scanner);
  return readMatchElement(scanner) || scanner.match(element, 'a path element') !== undefined;
}

/** Reads `match(…)` up to the next `)` on the same line. */
function readMatchElement(scanner: Scanner): boolean {
  const start = scanner.position;
  const end = scanner.text.startsWith('match(', start) ? scanner.closingBracket(start + 'match('.length) : undefined;
  if (end === undefined) {
    scanner.missed(`'match("…")'`);
    return false;
  }
  scanner.position = end + 1;
  return true;
}

/** A quote ends the element only if the next character can follow an element, so `"a"b"` is one element. */
function readQuotedElement(scanner: Scanner): boolean {
  const { text } = scanner;
  for (let at = scanner.position + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"' && /^[\s.,)\]}=!<>~]?$/.test(text.charAt(at + 1))) {
      scanner.position = at + 1;
      return true;
    }
  }
  scanner.missed('a quoted path element');
  return false;
}

/** Reads a function call as `["function", name, field, …texts]`. */
export function readFunction(scanner: Scanner): AstJson[] | undefined {
  const functions = scanner.language.functionNames;
  const start = scanner.position;
  const name = scanner.match(word, 'a function');
  if (name !== undefined) {
    const end = scanner.position;
    scanner.blanks();
    if (scanner.peek() === '(') {
      if (!functions.includes(name)) {
        const meant = nearest(name, functions);
        const known = `Known functions are ${[...functions].sort().join(', ')}.`;
        throw scanner.fault(
          start,
          `'${excerpt(name)}' is not a function. ${meant ? `Did you mean '${meant}'? ` : ''}${known}`,
        );
      }
      scanner.position++;
      scanner.count.add();
      return readArguments(scanner, name);
    }
    scanner.position = end;
    if (functions.includes(name)) scanner.missed(`'('`);
  }
  scanner.position = start;
  return undefined;
}

function readArguments(scanner: Scanner, name: string): AstJson[] {
  const call: AstJson[] = ['function', name];
  scanner.blanks();
  if (scanner.take(')')) return call;
  const field = readField(scanner, argumentElement);
  if (field === undefined) throw scanner.failure();
  call.push(field);
  scanner.blanks();
  while (scanner.take(',')) {
    scanner.blanks();
    const text = readString(scanner);
    if (text === undefined) throw scanner.failure();
    call.push(text);
    scanner.blanks();
  }
  if (!scanner.take(')')) throw scanner.failure();
  return call;
}
