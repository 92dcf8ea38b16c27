/**
 * Random queries in PQL, by its grammar (libs/query/pql/grammar.md). Some have missing, doubled or added characters.
 */
import fc from 'fast-check';
import { pqlEntities } from '../../libs/query/pql';
import { meantColumns, meantTest, relatedTo, type MeantTest } from './meant';
import { dottedName, fieldNames, fieldsOf, jsonText, pattern, text } from './values';

const blank = fc.constantFrom(' ', ' ', ' ', '\n', '\t  ');
const quoted = (one: string): string =>
  one.includes('\n') || one.length % 2 === 0 ? JSON.stringify(one) : `'${one.replaceAll("'", "\\'")}'`;
const string = fc.oneof(text, pattern).map(quoted);
const number = fc.constantFrom('0', '1', '-3', '4.5', '1.0e5', '99999999999999999999', '1E400', '01', '1.');

const field = (entity: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...fieldsOf(entity)) },
    { weight: 2, arbitrary: dottedName },
    { weight: 1, arbitrary: fc.constantFrom(...fieldNames, 'node_state', 'nope') },
  );

const relativeTime = fc.constantFrom('now()', 'now() - 2h', 'now()+90 minutes', 'now() - 1y', '"3 days ago"', 'now()-');
const value = fc.oneof(string, string, number, fc.constantFrom('true', 'false', 'null', '[]', '["a", 1]'));
const called = (entity: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('count', 'count_distinct', 'avg', 'sum', 'min', 'max', 'to_string'),
      field(entity),
      string,
      fc.nat(2),
    )
    .map(
      ([name, one, template, form]) => [`${name}()`, `${name}(${one})`, `${name}(${one}, ${template})`][form] ?? name,
    );
const item = (entity: string): fc.Arbitrary<string> =>
  fc.oneof({ weight: 3, arbitrary: field(entity) }, called(entity));

const join = (parts: readonly string[]): string => parts.join(', ');

function test(entity: string): fc.Arbitrary<string> {
  const one = field(entity);
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.tuple(one, fc.constantFrom('=', '!=', '<', '>', '<=', '>='), value).map((all) => all.join(' ')),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(one, fc.constantFrom(' ~ ', ' !~ ', '~', ' ~* ', '!~*'), string).map((all) => all.join('')),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(one, fc.constantFrom('<', '>', '<=', '>='), relativeTime).map((all) => all.join(' ')),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(one, fc.array(string, { maxLength: 3 })).map(([name, all]) => `${name} ~> [${join(all)}]`),
    },
    { weight: 1, arbitrary: fc.tuple(one, fc.constantFrom('is null', 'is not null')).map((all) => all.join(' ')) },
    {
      weight: 1,
      arbitrary: fc.tuple(one, fc.array(value, { maxLength: 3 })).map(([name, all]) => `${name} in [${join(all)}]`),
    },
  );
}

const otherEntity = fc.constantFrom(...pqlEntities);

function condition(entity: string, depth: number): fc.Arbitrary<string> {
  if (depth === 0) return test(entity);
  const inner = condition(entity, depth - 1);
  return fc.oneof(
    { weight: 5, arbitrary: test(entity) },
    {
      weight: 3,
      arbitrary: fc.tuple(inner, blank, fc.constantFrom('and', 'or'), blank, inner).map((all) => all.join('')),
    },
    { weight: 1, arbitrary: inner.map((one) => `!(${one})`) },
    { weight: 1, arbitrary: inner.map((one) => `( ${one} )`) },
    {
      weight: 2,
      arbitrary: otherEntity.chain((other) =>
        fc
          .tuple(condition(other, depth - 1), field(entity), field(other), fc.boolean())
          .map(([one, here, there, asSubquery]) =>
            asSubquery ? `${other} { ${one} }` : `${here} in ${other}[${there}] { ${one} }`,
          ),
      ),
    },
  );
}

function query(entity: string): fc.Arbitrary<string> {
  const orders = fc.array(
    fc.tuple(item(entity), fc.constantFrom('', ' asc', ' desc')).map((all) => all.join('')),
    { minLength: 1, maxLength: 2 },
  );
  const clauses = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.array(item(entity), { minLength: 1, maxLength: 2 }),
          fc.option(orders, { nil: [] }),
          fc.constantFrom('', ' limit 3'),
        )
        .map(([all, by, limit]) => ` group by ${join(all)}${by.length === 0 ? '' : ` order by ${join(by)}`}${limit}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom('', ' limit 3', ' limit 0', ' limit 99999999999999999999'),
          fc.constantFrom('', ' offset 2'),
          orders,
        )
        .map(([limit, offset, order]) => `${limit}${offset} order by ${join(order)}`),
    },
  );
  const projection = fc.option(
    fc
      .tuple(fc.constantFrom('', '', 'distinct '), fc.array(item(entity), { maxLength: 3 }))
      .map(([distinct, all]) => `[${distinct}${join(all)}]`),
    { nil: '' },
  );
  return fc
    .tuple(projection, fc.option(condition(entity, 3), { nil: '', freq: 8 }), clauses)
    .map(([chosen, one, rest]) => `${entity}${chosen} { ${one}${rest} }`);
}

const odd = [
  '',
  '"',
  "'",
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '.',
  '#',
  '\u0000',
  '💥',
  ' and ',
  ' or ',
  '!',
  '~>',
  '🙂'.repeat(30),
];

/** A valid condition as text. */
function spelled([operator, name, asked]: MeantTest): string {
  const field = typeof name === 'string' ? name : jsonText(name);
  if (operator === 'null?') return `${field} is ${asked === true ? '' : 'not '}null`;
  return `${field} ${operator} ${jsonText(asked)}`;
}

function meantCondition(entity: string, depth: number): fc.Arbitrary<string> {
  const test = meantTest(entity, true).map(spelled);
  if (depth === 0) return test;
  const inner = meantCondition(entity, depth - 1);
  const others = relatedTo(entity).filter((other) => pqlEntities.includes(other));
  const related = fc
    .constantFrom(...(others.length > 0 ? others : [entity]))
    .chain((other) => meantCondition(other, depth - 1).map((one) => `${other} { ${one} }`));
  return fc.oneof(
    { weight: 4, arbitrary: test },
    {
      weight: 3,
      arbitrary: fc.tuple(inner, blank, fc.constantFrom('and', 'or'), blank, inner).map((all) => all.join('')),
    },
    { weight: 1, arbitrary: inner.map((one) => `!(${one})`) },
    ...(others.length > 0 ? [{ weight: 2, arbitrary: related }] : []),
  );
}

const meantQuery = (entity: string): fc.Arbitrary<string> =>
  fc.tuple(meantCondition(entity, 2), fc.option(meantColumns(entity)), fc.boolean()).map(([one, chosen, paged]) => {
    if (chosen === null) return `${entity} { ${one}${paged ? ' limit 3 offset 1' : ''} }`;
    const { names, call } = chosen;
    const template = call?.[2] === undefined ? '' : `, ${JSON.stringify(call[2])}`;
    const columns = [...names, ...(call === undefined ? [] : [`${call[0]}(${call[1] ?? ''}${template})`])];
    if (call === undefined) return `${entity}[${paged ? '' : 'distinct '}${join(columns)}] { ${one} }`;
    const grouped = names.length === 0 ? '' : ` group by ${join(names)}${paged ? ' having count() >= 1' : ''}`;
    const ordered = paged && call[0] !== 'to_string' ? ` order by ${columns.at(-1)} desc limit 3` : '';
    return `${entity}[${join(columns)}] { ${one}${grouped}${ordered} }`;
  });

const spoiled = (whole: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(whole, fc.nat(10_000), fc.nat(6), fc.constantFrom(...odd)).map(([one, place, length, put]) => {
    const at = place % (one.length + 1);
    return one.slice(0, at) + put + one.slice(at + length);
  });

/** The text of a query of a random entity. */
export const pqlCase: fc.Arbitrary<string> = otherEntity.chain((entity) =>
  fc.oneof(
    { weight: 6, arbitrary: meantQuery(entity) },
    { weight: 3, arbitrary: query(entity) },
    { weight: 1, arbitrary: spoiled(meantQuery(entity)) },
    { weight: 1, arbitrary: spoiled(query(entity)) },
  ),
);
