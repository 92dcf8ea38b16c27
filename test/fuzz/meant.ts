/** Parts of queries that the descriptors allow: existing fields, with operators and values of their type. */
import fc from 'fast-check';
import type { Field, FieldUse } from '../../libs/query/entities/entity';
import { entities } from '../../libs/query/entities/registry';
import type { KindName } from '../../libs/query/kinds/field-kind';
import type { Json } from './values';

const words = fc.constantFrom(
  'Linux',
  'production',
  'web01.alder.test',
  'File',
  'changed',
  'success',
  "it's",
  'grün 💥',
  '',
);
const times = fc.constantFrom('2024-03-04T11:01:00.000Z', '2024-03-04', '2024-03-04T12:01:00+01:00', '1969-12-31');
const patterns = fc.constantFrom('^web', '.*', '(?i)lin', '\\d+', 'a|b', '[[:alpha:]]', '\\y', "'");
const numbers = fc.constantFrom<Json>(0, 1, 4.5, -3, { raw: '1.0' }, { raw: '9007199254740993' }, { raw: '1e30' });
const keys = fc.constantFrom('kernel', 'processorcount', 'os.name', 'mode', 'ensure', 'no such');
const members: Readonly<Record<string, readonly string[]>> = {
  facts: ['facts.kernel', 'facts.os.release.full', 'facts.disks[0]', 'facts."dotted.name"', 'facts.match("^k.*")'],
  trusted: ['trusted.certname', 'trusted.extensions.pp_role'],
  parameters: ['parameters.mode', 'parameters.hash.k1', 'parameters.list'],
};

/** Operator, field, value. */
export type MeantTest = readonly [string, Json, Json];

const orders = fc.constantFrom('<', '>', '<=', '>=');
const versions = fc.constantFrom('1', '5.10', '1:2.0~rc1-1', '1.0.0-rc.1');
const versionTest = (field: Json): fc.Arbitrary<MeantTest> =>
  fc.tuple(fc.oneof(orders, fc.constantFrom('=', '!=')), fc.constant<Json>(['function', 'version', field]), versions);
const tests: Readonly<Record<KindName, (field: string) => fc.Arbitrary<MeantTest>>> = {
  text: (field) =>
    fc.oneof<fc.Arbitrary<MeantTest>[]>(
      fc.tuple(fc.constantFrom('=', '!='), fc.constant(field), words),
      fc.tuple(fc.constantFrom('~', '~*'), fc.constant(field), patterns),
      versionTest(field),
      fc.tuple(fc.constant('in'), fc.constant(field), fc.array(words, { minLength: 1, maxLength: 3 })),
    ),
  timestamp: (field) => fc.tuple(fc.constant('='), fc.constant(field), times),
  integer: (field) => fc.tuple(fc.oneof(orders, fc.constant('=')), fc.constant(field), numbers),
  boolean: (field) => fc.tuple(fc.constant('='), fc.constant(field), fc.boolean()),
  path: (field) =>
    fc.oneof<fc.Arbitrary<MeantTest>[]>(
      fc.constant(['=', field, ['os', 'name']]),
      fc.tuple(fc.constant('~>'), fc.constant(field), fc.array(patterns, { minLength: 1, maxLength: 3 })),
    ),
  value: (field) =>
    fc.oneof<fc.Arbitrary<MeantTest>[]>(
      fc.tuple(fc.constant('='), fc.constant(field), fc.oneof(words, numbers, fc.boolean())),
      fc.tuple(orders, fc.constant(field), numbers),
      fc.tuple(fc.constantFrom('~', '~*'), fc.constant(field), patterns),
      versionTest(field),
    ),
  texts: (field) => fc.tuple(fc.constant('='), fc.constant(field), words),
  'json-text': (field) => fc.tuple(fc.constantFrom('=', '~', '~*'), fc.constant(field), words),
  tree: (field) =>
    fc
      .constantFrom<Json>(...(members[field] ?? [field]))
      .chain((member) =>
        fc.oneof<fc.Arbitrary<MeantTest>[]>(
          fc.tuple(fc.constant('='), fc.constant(member), fc.oneof(words, numbers)),
          fc.tuple(orders, fc.constant(member), numbers),
          fc.tuple(fc.constantFrom('~', '~*'), fc.constant(member), patterns),
          versionTest(member),
          fc.tuple(fc.constant('null?'), fc.constant(member), fc.boolean()),
        ),
      ),
  expanded: (field) => fc.constant(['=', field, 'x']),
};

const has = (field: Field, use: FieldUse): boolean =>
  field.option === undefined && field.open !== 'absent' && field.uses?.includes(use) !== false;
const descriptor = (entity: string) => entities.find(({ name }) => name === entity);

/** Returns the names of the entity's fields for that use. */
export const usable = (entity: string, use: FieldUse, ...types: readonly KindName[]): string[] =>
  (descriptor(entity)?.fields ?? [])
    .filter((field) => has(field, use) && (types.length === 0 || types.includes(field.kind.name)))
    .map(({ name }) => name);

/** A condition that the entity allows. `named` leaves out pairs such as `["fact", x]`, which PQL does not have. */
export function meantTest(entity: string, named = false): fc.Arbitrary<MeantTest> {
  const found = descriptor(entity);
  const fields = (found?.fields ?? []).filter((field) => has(field, 'ask') && field.kind.name !== 'expanded');
  const ofFields = fc
    .constantFrom(...fields)
    .chain(({ name, kind }) =>
      fc.oneof<fc.MaybeWeightedArbitrary<MeantTest>[]>(
        { weight: 5, arbitrary: tests[kind.name](name) },
        { weight: 1, arbitrary: fc.tuple(fc.constant('null?'), fc.constant(name), fc.boolean()) },
      ),
    );
  const containers = named ? [] : Object.keys(found?.keyed ?? {});
  if (containers.length === 0) return ofFields;
  const keyed = fc.tuple(
    fc.constantFrom('=', '~'),
    fc.tuple(fc.constantFrom(...containers), keys),
    fc.constantFrom('Linux', '^L', '0644'),
  );
  return fc.oneof<fc.MaybeWeightedArbitrary<MeantTest>[]>(
    { weight: 4, arbitrary: ofFields },
    { weight: 1, arbitrary: keyed },
  );
}

/** Columns that can be extracted together: names, or a name and a function grouped by it. */
export interface MeantColumns {
  readonly names: readonly string[];
  /** Such as `["max", "line"]`. The names, if there are any, are the groups. */
  readonly call?: readonly [string, ...string[]];
}

export function meantColumns(entity: string): fc.Arbitrary<MeantColumns> {
  const names = usable(entity, 'show');
  const plain = usable(entity, 'show', 'text', 'timestamp', 'integer', 'boolean');
  const stamps = usable(entity, 'show', 'timestamp');
  const calls: [string, ...string[]][] = [
    ['count'],
    ...plain.map((name): [string, string] => ['count', name]),
    ...usable(entity, 'show', 'text', 'timestamp', 'integer').flatMap((name): [string, string][] => [
      ['min', name],
      ['max', name],
    ]),
    ...usable(entity, 'show', 'integer').flatMap((name): [string, string][] => [
      ['sum', name],
      ['avg', name],
    ]),
  ];
  const grouped = fc
    .tuple(fc.constantFrom(...(plain.length > 0 ? plain : names)), fc.constantFrom(...calls))
    .map(([name, call]): MeantColumns => ({ names: [name], call }));
  const stamped = fc
    .constantFrom(...(stamps.length > 0 ? stamps : names))
    .map((name): MeantColumns => ({ names: [], call: ['to_string', name, 'YYYY'] }));
  const listed = fc
    .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 })
    .map((all) => ({ names: all }));
  return fc.oneof<fc.MaybeWeightedArbitrary<MeantColumns>[]>(
    { weight: 3, arbitrary: listed },
    { weight: 2, arbitrary: grouped },
    ...(stamps.length > 0 ? [{ weight: 1, arbitrary: stamped }] : []),
  );
}

/** Entities that a `subquery` of this entity may name. */
export const relatedTo = (entity: string): string[] =>
  Object.keys(descriptor(entity)?.relations ?? {}).filter((name) => descriptor(name) !== undefined);
