import { endOfString, skipBlanks } from './json-tokens';

/**
 * Largest number of characters that are formatted at once: 1 MB takes 12 ms, and other requests proceed between two
 * pieces.
 */
export const pieceCharacters = 256 << 10;

/**
 * Formats JSON text as PuppetDB does: each member of a map is on its own line, indented by two blanks for each level,
 * and lists stay on one line. Changes only the blanks between tokens, and the spelling of numbers if `number` is given.
 * The text must be valid JSON.
 */
export function* prettyPieces(
  text: string,
  number: (spelling: string) => string = (spelling) => spelling,
): Generator<string> {
  let out = '';
  let depth = 0;
  const open: string[] = [];
  for (let at = 0; at < text.length;) {
    if (out.length >= pieceCharacters) {
      yield out;
      out = '';
    }
    const character = text[at]!;
    if (character === '"') {
      const end = endOfString(text, at);
      out += text.slice(at, end);
      at = end;
      continue;
    }
    if (isNumberStart(character)) {
      const end = endOfNumber(text, at);
      out += number(text.slice(at, end));
      at = end;
      continue;
    }
    at++;
    switch (character) {
      case '{':
      case '[': {
        const close = character === '{' ? '}' : ']';
        const next = skipBlanks(text, at);
        if (text[next] === close) {
          out += `${character} ${close}`;
          at = next + 1;
          break;
        }
        open.push(character);
        if (character === '{') depth++;
        out += character === '{' ? `{\n${indent(depth)}` : '[ ';
        break;
      }
      case '}':
      case ']':
        open.pop();
        if (character === '}') depth--;
        out += character === '}' ? `\n${indent(depth)}}` : ' ]';
        break;
      case ',':
        out += open.at(-1) === '{' ? `,\n${indent(depth)}` : ', ';
        break;
      case ':':
        out += ' : ';
        break;
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        break;
      default:
        out += character;
    }
  }
  yield out;
}

export const prettyJson = (text: string): string => [...prettyPieces(text)].join('');

/** Deeper levels are not indented further, because otherwise the output could consist mainly of blanks. */
const deepestIndent = 50;
const indent = (depth: number): string => '  '.repeat(Math.min(depth, deepestIndent));

const isNumberStart = (character: string): boolean => character === '-' || (character >= '0' && character <= '9');

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while ('0123456789.eE+-'.includes(text[at] ?? ' ')) at++;
  return at;
}
