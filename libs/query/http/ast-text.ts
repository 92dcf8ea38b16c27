import { type AstJson, NumberText, isList, isMap } from '../ast/json';
import { spellDouble } from './spell-double';

/** A query as compact JSON for `ast_only`: fractions as the shortest double, whole numbers of any size as they are. */
export function astText(value: AstJson): string {
  const pieces: string[] = [];
  write(value, pieces);
  return pieces.join('');
}

function write(value: AstJson, pieces: string[]): void {
  if (isList(value)) {
    value.forEach((one, index) => {
      pieces.push(index === 0 ? '[' : ',');
      write(one, pieces);
    });
    pieces.push(value.length === 0 ? '[]' : ']');
  } else if (isMap(value)) {
    [...value].forEach(([key, one], index) => {
      pieces.push(index === 0 ? '{' : ',', JSON.stringify(key), ':');
      write(one, pieces);
    });
    pieces.push(value.size === 0 ? '{}' : '}');
  } else {
    pieces.push(value instanceof NumberText ? numberText(value) : JSON.stringify(value));
  }
}

function numberText(value: NumberText): string {
  if (value.isInteger) return value.text;
  const double = Number(value.text);
  if (!Number.isFinite(double)) return JSON.stringify(double > 0 ? 'Infinity' : '-Infinity');
  return spellDouble(double);
}

/** Longer chains stay flat: nesting them would be deeper than readers of JSON like. */
const longestNested = 1000;

/**
 * Nests the chains of `and` and `or` in a query that came as PQL. PQL has no brackets around them, so their form as JSON
 * is a matter of convention: clients that compare `ast_only` answers know this one. From the end, three operands at a
 * time become `[op, a, [op, b, c], rest]`; one or two left over stand before that.
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
