import { type AstJson, NumberText, isList, isMap } from '../ast/json';
import { spellDouble } from './spell-double';

/**
 * Prints a query as compact JSON for the parameter `ast_only`. Prints fractions as doubles in their shortest form, and
 * integers of any size unchanged. Uses an explicit stack, because nested chains can be deeper than the limit on
 * queries.
 */
export function astText(value: AstJson): string {
  const pieces: string[] = [];
  const open: Iterator<AstJson | Piece>[] = [[value][Symbol.iterator]()];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.next();
    if (next.done === true) open.pop();
    else if (next.value instanceof Piece) pieces.push(next.value.text);
    else if (isList(next.value)) open.push(listPieces(next.value));
    else if (isMap(next.value)) open.push(mapPieces(next.value));
    else pieces.push(next.value instanceof NumberText ? numberText(next.value) : JSON.stringify(next.value));
  }
  return pieces.join('');
}

class Piece {
  constructor(readonly text: string) {}
}

function* listPieces(list: readonly AstJson[]): Generator<AstJson | Piece> {
  let before = '[';
  for (const one of list) {
    yield new Piece(before);
    yield one;
    before = ',';
  }
  yield new Piece(list.length === 0 ? '[]' : ']');
}

function* mapPieces(map: ReadonlyMap<string, AstJson>): Generator<AstJson | Piece> {
  let before = '{';
  for (const [key, one] of map) {
    yield new Piece(`${before}${JSON.stringify(key)}:`);
    yield one;
    before = ',';
  }
  yield new Piece(map.size === 0 ? '{}' : '}');
}

function numberText(value: NumberText): string {
  if (value.isInteger) return value.text;
  const double = Number(value.text);
  if (!Number.isFinite(double)) return JSON.stringify(double > 0 ? 'Infinity' : '-Infinity');
  return spellDouble(double);
}

/** Longer chains stay flat, because many JSON parsers limit the depth. */
const longestNested = 1000;

/**
 * Nests the `and` and `or` chains of a PQL query as PuppetDB does, so that clients can compare answers to `ast_only`.
 * Replaces the last four operands by `[op, a, [op, b, c], d]`, and repeats this while at least four operands are left.
 * If one operand is left, it replaces the chain. `[and, 1, 2, 3, 4, 5]` becomes `[and, 1, [and, 2, [and, 3, 4], 5]]`.
 */
export function nestChains(value: AstJson): AstJson {
  if (!isList(value)) return value;
  const [operator, ...operands] = value;
  if (operator !== 'and' && operator !== 'or') return value.map(nestChains);
  const nested = operands.map(nestChains);
  if (nested.length > longestNested) return [operator, ...nested];
  const single = (nested.length - 1) % 3;
  let rest: AstJson = nested[nested.length - 1] ?? null;
  for (let at = nested.length - 4; at >= single; at -= 3) {
    rest = [operator, nested[at]!, [operator, nested[at + 1]!, nested[at + 2]!], rest];
  }
  if (single === 0) return rest;
  return [operator, ...nested.slice(0, single), rest];
}
