import { endOfString, skipBlanks } from './json-tokens';

/**
 * Returns a map from the name of each value to its JSON text. Numbers keep their spelling, because the values are not
 * parsed. If the row is not an object, the map contains the whole row under the name `value`. Does not check the JSON,
 * because PostgreSQL has written it.
 */
export function rowCells(row: string): Map<string, string> {
  const cells = new Map<string, string>();
  let at = skipBlanks(row, 0);
  if (row[at] !== '{') return cells.set('value', row);
  for (at = skipBlanks(row, at + 1); row[at] === '"'; at = skipBlanks(row, at + 1)) {
    const nameEnd = endOfString(row, at);
    const name = JSON.parse(row.slice(at, nameEnd)) as string;
    const start = skipBlanks(row, skipBlanks(row, nameEnd) + 1);
    at = endOfValue(row, start);
    cells.set(name, row.slice(start, at).trimEnd());
  }
  return cells;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (depth === 0 && (character === ',' || character === '}')) return at;
    else if (character === '}' || character === ']') depth--;
  }
  return text.length;
}
