import fc from 'fast-check';
import { type AstJson, NumberText } from '../ast/json';
import { fullLanguage } from '../operators/language';
import { pqlEntities } from './entities';
import { parsePql } from './parse-pql';
import { printPql } from '../../../test/support/print-pql';

const entity = fc.constantFrom(...pqlEntities);
const plain = fc.stringMatching(/^[a-zA-Z0-9_]{1,12}\??$/);
const element = fc.oneof(
  fc.stringMatching(/^[^\s.",[\]!<=>~()\\{}]{1,8}(\[\d{1,2}\])?$/),
  fc.stringMatching(/^[a-z .]{1,8}$/).map((text) => `"${text}"`),
  fc.stringMatching(/^[a-z.*\d]{1,8}$/).map((text) => `match("${text}")`),
);
const dotted = fc
  .tuple(fc.constantFrom('facts', 'trusted', 'parameters'), fc.array(element, { minLength: 1, maxLength: 3 }))
  .map(([head, rest]) => [head, ...rest].join('.'));
const field: fc.Arbitrary<AstJson> = fc.oneof(plain, dotted);
const call: fc.Arbitrary<AstJson> = fc
  .tuple(
    fc.constantFrom(...fullLanguage.functionNames),
    fc.array(plain, { maxLength: 1 }),
    fc.array(fc.string(), { maxLength: 1 }),
  )
  .map(([name, of, texts]): AstJson => ['function', name, ...of, ...(of.length > 0 ? texts : [])]);
const item = fc.oneof(field, call);

const number = fc.oneof(
  fc.bigInt().map((value) => new NumberText(String(value))),
  fc
    .tuple(fc.integer(), fc.nat(), fc.option(fc.integer({ min: -300, max: 300 })))
    .map(
      ([whole, fraction, exponent]) => new NumberText(`${whole}.${fraction}${exponent === null ? '' : `E${exponent}`}`),
    ),
);
const text: fc.Arbitrary<AstJson> = fc.string({ unit: 'binary' });
const { value } = fc.letrec<{ value: AstJson }>((tie) => ({
  value: fc.oneof({ maxDepth: 2 }, text, number, fc.boolean(), fc.array(tie('value'), { minLength: 1, maxLength: 3 })),
}));
const relative = fc.oneof<fc.Arbitrary<AstJson>[]>(
  fc.constant(['now']),
  fc
    .tuple(fc.constantFrom('-', '+'), fc.nat(10_000), fc.constantFrom('s', 'm', 'h', 'd', 'w'))
    .map(([sign, count, unit]) => [sign, ['now'], `${count}${unit}`]),
);
const left = fc.oneof(field, fc.array(item, { minLength: 1, maxLength: 3 }));

const { query } = fc.letrec<{ condition: AstJson; query: AstJson }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(fc.constant('='), left, value),
    fc.tuple(fc.constantFrom('>', '>=', '<', '<='), left, fc.oneof(text, number)),
    fc.tuple(fc.constantFrom('~', '~*'), left, text),
    fc.tuple(fc.constantFrom('>', '>=', '<', '<='), left, relative),
    fc.tuple(
      fc.constantFrom('=', '>', '>=', '<', '<='),
      field.map((one): AstJson => ['function', 'version', one]),
      text,
    ),
    fc.tuple(fc.constant('~>'), left, fc.array(text, { minLength: 1, maxLength: 3 })),
    fc.tuple(fc.constant('null?'), left, fc.boolean()),
    fc.tuple(
      fc.constant('in'),
      left,
      fc.array(value, { minLength: 1, maxLength: 3 }).map((items): AstJson => ['array', items]),
    ),
    fc.tuple(fc.constant('in'), left, tie('query')),
    fc.tuple(fc.constant('subquery'), entity, tie('condition')),
    fc.tuple(fc.constant('subquery'), entity),
    fc.tuple(fc.constant('not'), tie('condition')),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('condition'), { minLength: 2, maxLength: 4 }))
      .map(([operator, operands]): AstJson => [operator, ...operands]),
  ),
  query: fc
    .tuple(
      entity,
      fc.option(fc.array(item, { maxLength: 3 })),
      fc.option(tie('condition')),
      fc.oneof(
        fc.array(item, { minLength: 1, maxLength: 2 }).map((items): AstJson[] => [['group_by', ...items]]),
        fc
          .array(
            fc.tuple(
              fc.constantFrom('=', '<', '>=', '>'),
              fc.constantFrom<AstJson>(['function', 'count'], ['function', 'avg', 'd']),
            ),
            {
              minLength: 1,
              maxLength: 3,
            },
          )
          .map((tests): AstJson[] => {
            const all = tests.map(([operator, call]): AstJson => [operator, call, new NumberText('-1.5')]);
            return [
              ['group_by', 'a'],
              ['having', all.length === 1 ? all[0]! : ['and', ...all]],
            ];
          }),
        fc.constant<AstJson[]>([]),
      ),
      fc.shuffledSubarray<AstJson>([
        ['limit', new NumberText('5')],
        ['offset', new NumberText('0')],
        [
          'order_by',
          ['a', ['facts.b', 'desc'], ['c', 'asc'], [['function', 'count'], 'desc'], ['function', 'avg', 'd']],
        ],
      ]),
      fc.boolean(),
    )
    .map(([name, fields, one, group, paging, distinct]): AstJson => {
      const selected = [...(one === null ? [] : [one]), ...group];
      if (fields === null) return ['from', name, ...selected, ...paging];
      const isDistinct = distinct && fields.length > 0;
      return ['from', name, ['extract', fields, ...selected, ...(isDistinct ? [['distinct']] : [])], ...paging];
    }),
}));

test('what is printed parses to what was printed', () => {
  fc.assert(
    fc.property(query, (ast) => {
      const printed = printPql(ast);
      expect(parsePql(printed)).toEqual(ast);
      expect(printPql(parsePql(printed))).toBe(printed);
    }),
    { numRuns: 1500 },
  );
});

test('whatever text comes, it parses or is refused with a fault', () => {
  const pieces = fc.constantFrom(
    'nodes',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '!',
    '=',
    '~>',
    'and',
    'or',
    'in',
    ' ',
    '"x"',
    "'",
    'facts.',
    'limit 1',
    'order by count() desc',
    'distinct ',
    '~*',
    'now()',
    'version(',
    ' - 2h',
    'group by',
    'having',
    'count()',
    'a',
    '1.5',
    ',',
    '\\',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
        fc.string(),
      ),
      (any) => {
        try {
          parsePql(any);
        } catch (error) {
          expect(error).toMatchObject({ kind: 'malformed', code: 'pql.syntax' });
        }
      },
    ),
    { numRuns: 3000 },
  );
});

test('forms without words in PQL are refused', () => {
  for (const ast of [
    ['from', 'nodes', ['=', 'a', null]],
    ['from', 'nodes', ['=', 'a', new Map()]],
    ['extract', 'a'],
    'nodes',
  ]) {
    expect(() => printPql(ast as AstJson)).toThrow(TypeError);
  }
});
