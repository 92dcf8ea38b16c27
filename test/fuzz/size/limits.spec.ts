/**
 * Tests each limit on a query or payload: an input well below it is not refused because of the limit, and an input
 * above it is refused with the name of the limit.
 */
import { limitEntry, type LimitName, limitNames } from '#limits';
import { thorough } from '../case-count';
import { ReaderProcess } from './reader-process';
import type { Recipe, Sized } from './recipe';

const alone: Sized = ['the condition alone', 1];
const ast =
  (entity: string, shape: string) =>
  (n: number): Recipe => ({ family: 'ast', entity, base: [shape, n], wraps: [], whole: alone });
const pql =
  (entity: string, shape: string) =>
  (n: number): Recipe => ({ family: 'pql', entity, base: [shape, n], wraps: [], whole: alone });
const around =
  (family: 'ast' | 'pql', wraps: 'wrap' | 'whole', shape: string) =>
  (n: number): Recipe => ({
    family,
    entity: 'nodes',
    base: [family === 'ast' ? 'a value of n characters' : 'a text of n characters', 1],
    wraps: wraps === 'wrap' ? [[shape, n]] : [],
    whole: wraps === 'wrap' ? alone : [shape, n],
  });
/** Queries inside a query, side by side. */
const beside =
  (family: 'ast' | 'pql') =>
  (n: number): Recipe => ({
    ...(around(family, 'wrap', 'n queries inside one another')(1) as Extract<Recipe, { family: 'ast' | 'pql' }>),
    wraps: [
      ['n queries inside one another', 1],
      [family === 'ast' ? 'n in an and' : 'n with and', n],
    ],
  });
const payload =
  (of: string, place: string, growth: string) =>
  (n: number): Recipe => ({ family: 'payload', of, place, shape: [growth, n] });
const whole =
  (shape: string) =>
  (n: number): Recipe => ({ family: 'whole payload', shape: [shape, n] });

/** `n` of the shape counts as `n` of the limit, or as `per` times that. */
const cases: readonly [LimitName, string, (n: number) => Recipe, number?][] = [
  ['queryText', 'JSON', ast('nodes', 'a value of n characters')],
  ['queryText', 'PQL', pql('nodes', 'a text of n characters')],
  ['queryNodes', 'JSON', (n) => ({ family: 'ast text', shape: ['n nulls', n] })],
  ['queryDepth', 'JSON', around('ast', 'wrap', 'n times not')],
  ['queryDepth', 'PQL', around('pql', 'wrap', 'n times not')],
  ['queryConditions', 'JSON', ast('nodes', 'n = under and')],
  ['queryConditions', 'PQL', pql('nodes', 'n conditions with and')],
  ['querySubqueries', 'JSON', beside('ast')],
  ['querySubqueries', 'PQL', beside('pql')],
  ['queryNesting', 'JSON', around('ast', 'wrap', 'n queries inside one another')],
  ['queryNesting', 'PQL', around('pql', 'wrap', 'n queries inside one another')],
  ['queryName', 'JSON', ast('nodes', 'a field of n characters')],
  ['queryName', 'PQL', pql('inventory', 'a step of n characters')],
  ['queryPathSteps', 'JSON', ast('inventory', 'n plain steps')],
  ['queryPathSteps', 'a path in JSON', ast('fact_contents', 'a path of n elements')],
  ['queryPathSteps', 'PQL', pql('inventory', 'n plain steps')],
  ['queryNodes', 'PQL', pql('nodes', 'in n texts')],
  ['queryColumns', 'JSON', around('ast', 'whole', 'n equal columns')],
  ['queryColumns', 'grouped', around('ast', 'whole', 'grouped by n names')],
  ['queryColumns', 'in', ast('nodes', 'in rows of n columns')],
  ['queryColumns', 'PQL', around('pql', 'whole', 'n columns')],
  ['queryRegex', 'JSON', ast('nodes', 'a regex of n characters')],
  ['documentDepth', 'facts', payload('replace facts 5', 'values.kernel', 'a list n deep')],
  ['documentDepth', 'a catalog', payload('replace catalog 9', 'resources.0.parameters.mode', 'a map n deep')],
  ['documentDepth', 'a report', payload('store report 8', 'resources.0.events.0.new_value', 'a list n deep')],
  ['documentValues', 'a catalog', payload('replace catalog 9', 'resources.0.parameters.mode', 'n numbers')],
  ['documentValues', 'a report', payload('store report 8', 'resources.0.events.0.new_value', 'n numbers')],
  ['factLeaves', 'facts', payload('replace facts 5', 'values.kernel', 'n numbers')],
  ['factPathElements', 'facts', whole('n numbers in 900 lists'), 900],
  ['factPathCharacters', 'facts', whole('n numbers under a name of 1,000 characters'), 1_000],
  ['packages', 'facts', payload('replace facts 5', 'package_inventory', 'n times')],
  ['resources', 'a catalog', payload('replace catalog 9', 'resources', 'n times')],
  ['resources', 'a report', payload('store report 8', 'resources', 'n times')],
  ['events', 'a report', payload('store report 8', 'resources.0.events', 'n times')],
  ['events', 'an old report', payload('store report 5', 'resource_events', 'n times')],
  ['eventCharacters', 'a report', whole('n events of a resource with a title of 10,000 characters'), 10_000],
  ['metrics', 'a report', payload('store report 8', 'metrics', 'n times')],
  ['logs', 'a report', payload('store report 8', 'logs', 'n times')],
  ['inputs', 'inputs', payload('replace catalog inputs 1', 'inputs', 'n times')],
  ['edges', 'a catalog', whole('n edges between few resources')],
];

// The largest payloads that are read here have tens of megabytes.
const readers = new ReaderProcess(60_000);
afterAll(() => readers.stop());

const isRefusal = expect.objectContaining({ code: expect.stringMatching(/\.limit$/) as string }) as object;

/** These payloads have tens of megabytes. The specs next to the readers test them with smaller limits. */
const large: readonly LimitName[] = ['queryText', 'resources', 'events', 'logs', 'edges', 'metrics', 'documentValues'];

test.each(cases.filter(([name]) => thorough || !large.includes(name)))(
  '%s (%s)',
  async (name, _, recipe, per = 1) => {
    const { value, bounds, counts } = limitEntry(name);
    const over = await readers.run({ recipe: recipe(Math.ceil((value * 1.1) / per)), repeats: 1 });
    expect(over.ending).toEqual(isRefusal);
    // So many resources exceed the limit of values or events before the limit of resources.
    const named =
      name === 'resources'
        ? expect.stringMatching(/resources of a catalog|events of a report|values in a payload/)
        : expect.stringContaining(counts);
    expect(over.ending).toMatchObject({ end: 'refused', answer: named as string });
    const share = bounds === 'query' ? 0.4 : 0.1;
    const below = await readers.run({ recipe: recipe(Math.floor((value * share) / per)), repeats: 1 });
    expect(below.ending).not.toEqual(isRefusal);
    expect(below.ending).not.toMatchObject({ end: 'broken' });
  },
  600_000,
);

test('lists inside one another are refused before any is built, in the old form of commands as well', async () => {
  const recipe = payload('replace facts 5', 'values.kernel', 'a list n deep')(9_500_000);
  const { ending } = await readers.run({ recipe, repeats: 1 });
  expect(ending).toMatchObject({ end: 'refused', status: 400 });
});

/** Limits on requests and answers need a running service. */
const isInput = (name: LimitName): boolean => ['query', 'payload'].includes(limitEntry(name).bounds);

test('each limit on a query or a payload is tried', () => {
  const tried = new Set(cases.map(([name]) => name));
  expect(limitNames.filter((name) => isInput(name) && !tried.has(name))).toEqual([]);
});
