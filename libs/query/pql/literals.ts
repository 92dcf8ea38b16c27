import { NumberText, type AstJson } from '../ast/json';
import type { Scanner } from './scanner';

const digits = /[0-9]+/y;
const fraction = /\.[0-9]+(?:[eE][+-]?[0-9]+)?/y;

export function readNumber(scanner: Scanner): NumberText | undefined {
  const start = scanner.position;
  const sign = scanner.peek() === '-' ? '-' : '';
  scanner.position += sign.length;
  const whole = scanner.match(digits, 'a number');
  if (whole === undefined) {
    scanner.position = start;
    return undefined;
  }
  const plain = whole.replace(/^0+(?=.)/, '');
  if (scanner.peek() !== '.') return new NumberText(sign + plain);
  const rest = scanner.match(fraction, 'digits after the point');
  if (rest === undefined) throw scanner.failure();
  return new NumberText(sign + plain + rest);
}

/**
 * Reads a text in double quotes with the escapes of JSON, or in single quotes with `\'` as the only escape. A text can
 * contain line breaks.
 */
export function readString(scanner: Scanner): string | undefined {
  const quote = scanner.peek();
  if (quote !== '"' && quote !== "'") {
    scanner.missed('a quoted text');
    return undefined;
  }
  const { text } = scanner;
  const start = scanner.position + 1;
  let end = start;
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) {
    scanner.position = text.length;
    scanner.missed(quote === '"' ? `'"'` : `"'"`);
    throw scanner.failure();
  }
  const raw = text.slice(start, end);
  const value = quote === "'" ? raw.replaceAll("\\'", "'") : unescape(scanner, raw, start);
  scanner.position = end + 1;
  return value;
}

const escape = /\\(u[0-9a-fA-F]{4}|["\\/bfnrt])?/g;

const unescape = (scanner: Scanner, raw: string, start: number): string =>
  raw.replace(escape, (text: string, known: string | undefined, at: number) => {
    if (known !== undefined) return JSON.parse(`"${text}"`) as string;
    throw scanner.fault(
      start + at,
      `'\\${raw.charAt(at + 1)}' is not an escape. Known are \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits.`,
    );
  });

export function readBoolean(scanner: Scanner): boolean | undefined {
  if (scanner.take('true')) return true;
  return scanner.take('false') ? false : undefined;
}

export function readValue(scanner: Scanner): AstJson | undefined {
  scanner.count.add();
  const scalar = readString(scanner) ?? readNumber(scanner) ?? readBoolean(scanner);
  return scalar ?? readList(scanner, readValue);
}

/** The list must not be empty. */
export function readList(scanner: Scanner, item: (scanner: Scanner) => AstJson | undefined): AstJson[] | undefined {
  if (!scanner.take('[')) return undefined;
  scanner.count.enter();
  const items: AstJson[] = [];
  do {
    scanner.blanks();
    const value = item(scanner);
    if (value === undefined) return undefined;
    items.push(value);
    scanner.blanks();
  } while (scanner.take(','));
  if (!scanner.take(']')) return undefined;
  scanner.count.leave();
  return items;
}
