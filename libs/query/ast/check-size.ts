import { checkLimit, type Limits, overLimit } from '#limits';
import { type AstJson, isList, isMap, NumberText } from './json';

/**
 * Throws `query.limit` if the query exceeds the limit on its characters, elements or depth. Uses an explicit stack,
 * because recursion could overflow the call stack.
 */
export function checkSize(query: AstJson, limits: Limits): void {
  let nodes = 0;
  let characters = 0;
  const open: Iterator<AstJson>[] = [[query][Symbol.iterator]()];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.next();
    if (next.done === true) {
      open.pop();
      continue;
    }
    const { value } = next;
    if (++nodes > limits.queryNodes) throw overLimit(limits, 'queryNodes');
    characters += 1 + ownLength(value);
    checkLimit(limits, 'queryText', characters);
    if (!isList(value) && !isMap(value)) continue;
    if (open.length > limits.queryDepth) throw overLimit(limits, 'queryDepth');
    open.push(isMap(value) ? entries(value) : value[Symbol.iterator]());
  }
}

function ownLength(value: AstJson): number {
  if (typeof value === 'string') return value.length;
  return value instanceof NumberText ? value.text.length : 1;
}

function* entries(map: ReadonlyMap<string, AstJson>): Generator<AstJson> {
  for (const [key, value] of map) {
    yield key;
    yield value;
  }
}
