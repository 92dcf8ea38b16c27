/**
 * Tests that the planner sees a limited number of members for every spelling of a query. Without the limit, PostgreSQL
 * took 5 s to plan a conjunction of 1,160 comparisons with an index, and 42 s for 4,000 comparisons.
 */
import { fromPlain } from '../ast/json';
import { compileQuery } from '../compile';

const ofClass = (...classes: string[]): unknown => ['or', ...classes.map((name) => ['=', 'containing_class', name])];
const list = (size: number, make: (index: number) => unknown): unknown[] =>
  Array.from({ length: size }, (_, n) => make(n));
const not = (test: unknown): unknown => ['not', test];
const pair = (n: number): unknown => ofClass(`a${n}`, `b${n}`);

function chain(levels: number): unknown {
  let inner = pair(0);
  for (let n = 1; n < levels; n++) inner = ['and', pair(3 * n), pair(3 * n + 1), pair(3 * n + 2), inner];
  return inner;
}

/** Returns the statement without the content of `coalesce(…)`. */
function visible(text: string): string {
  let depth = 0;
  let inside = Infinity;
  let seen = '';
  for (let at = 0; at < text.length; at++) {
    if (depth < inside && text.startsWith('coalesce(', at)) inside = depth + 1;
    if (depth < inside) seen += text[at];
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth < inside) inside = Infinity;
  }
  return seen;
}

const textOf = (condition: unknown): string =>
  compileQuery(
    { entity: 'events', ast: fromPlain(condition) },
    { schema: 'gen_1', edition: 'full', dialect: 'puppetdb' },
  ).rows.text;
const comparisons = (text: string): number => text.split('e.containing_class = ANY').length - 1;

const shapes: Readonly<Record<string, (size: number) => unknown>> = {
  'one beside the other': (size) => ['and', ...list(size, pair)],
  'groups of ten': (size) => ['and', ...list(size / 10, (n) => ['and', ...list(10, (m) => pair(10 * n + m))])],
  'alternatives under not': (size) => not(['or', ...list(size, (n) => not(pair(n)))]),
  'under not and not': (size) => not(not(['and', ...list(size, pair)])),
  'groups under not and not': (size) => [
    'and',
    ...list(size / 10, (n) => not(not(['and', ...list(10, (m) => pair(10 * n + m))]))),
  ],
  'inside one another': (size) => chain(size / 3),
  'beside an alternative': (size) => ['or', ['=', 'property', 'x'], ['and', ...list(size, pair)]],
  'beside an alternative, under not': (size) =>
    not(['and', ['=', 'property', 'x'], ['or', ...list(size, (n) => not(pair(n)))]]),
};

describe.each(Object.entries(shapes))('%s', (_, shape) => {
  it('PostgreSQL sees few of very many', () => {
    const text = textOf(shape(1_200));
    expect(comparisons(text)).toBeGreaterThanOrEqual(1_198);
    expect(comparisons(visible(text))).toBeLessThanOrEqual(60);
  });

  it('and all of some', () => {
    const text = textOf(shape(300));
    expect(comparisons(visible(text))).toBe(comparisons(text));
  });
});

it('what stands beside very many stays visible', () => {
  const text = visible(textOf(['and', ['=', 'property', 'x'], ['and', ...list(1_200, pair)]]));
  expect(text).toContain('e.property = $');
});
