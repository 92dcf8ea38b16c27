import fc from 'fast-check';
import { type AstJson, isList, isMap, NumberText, parseAst, stringifyAst } from '#query';
import { patchOf } from './json-patch';
import { applyChanges, applyPatch } from '../testing/apply';
import { valueChanges } from './value-changes';

const parsed = (text: string): AstJson => parseAst(text);
const shown = (from: string, to: string): unknown =>
  valueChanges(parsed(from), parsed(to)).map((one) => ({
    ...one,
    ...('old' in one && { old: stringifyAst(one.old) }),
    ...('new' in one && { new: stringifyAst(one.new) }),
  }));

it('names the members that differ, by their paths', () => {
  expect(
    shown(
      '{"os":{"name":"Debian","release":{"full":"12.6"}},"gone":1}',
      '{"os":{"name":"Debian","release":{"full":"12.7"}},"new":{}}',
    ),
  ).toEqual([
    { change: 'changed', path: ['os', 'release', 'full'], old: '"12.6"', new: '"12.7"' },
    { change: 'removed', path: ['gone'], old: '1' },
    { change: 'added', path: ['new'], new: '{}' },
  ]);
});

it('compares lists element by element, and removes from their end', () => {
  expect(shown('["a","b","c"]', '["x"]')).toEqual([
    { change: 'changed', path: [0], old: '"a"', new: '"x"' },
    { change: 'removed', path: [2], old: '"c"' },
    { change: 'removed', path: [1], old: '"b"' },
  ]);
});

it.each([
  ['1', '1.0'],
  ['12345678901234567890', '12345678901234567891'],
  ['null', 'false'],
  ['[]', '{}'],
])('%s and %s differ', (from, to) => {
  expect(shown(`{"a":${from}}`, `{"a":${to}}`)).toEqual([{ change: 'changed', path: ['a'], old: from, new: to }]);
});

const value = fc.letrec<{ value: AstJson }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      fc.constantFrom<AstJson>(null, true, false, new NumberText('1'), new NumberText('1.0'), '', 'a', 'b'),
      fc.string(),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(
        fc.tuple(fc.oneof(fc.constantFrom('a', 'b', 'a/b', '~1', '0', '', '__proto__'), fc.string()), tie('value')),
        {
          maxLength: 4,
        },
      )
      .map((members): AstJson => new Map(members)),
  ),
})).value;

/** The order of members does not matter. */
const sorted = (one: AstJson): AstJson =>
  isMap(one)
    ? new Map([...one].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]))
    : isList(one)
      ? one.map(sorted)
      : one;

it('the changes, and the JSON Patch, make the second of the first value', () => {
  fc.assert(
    fc.property(value, value, (from, to) => {
      const changes = valueChanges(from, to);
      const wanted = stringifyAst(sorted(to));
      expect(stringifyAst(sorted(applyChanges(from, changes)))).toBe(wanted);
      expect(stringifyAst(sorted(applyPatch(from, patchOf(changes))))).toBe(wanted);
      if (changes.length === 0) expect(stringifyAst(sorted(from))).toBe(wanted);
    }),
    { numRuns: 500 },
  );
});

it('a value has no changes from itself', () => {
  fc.assert(fc.property(value, (one) => expect(valueChanges(one, one)).toEqual([])));
});
