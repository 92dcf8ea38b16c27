/** Names, values and patterns for the queries of the fuzz runs. Many of them are hostile. */
import fc from 'fast-check';
import { entities } from '../../libs/query/entities/registry';

/** A number as text, which is put into JSON unchanged, because doubles cannot hold all numbers. */
export interface RawNumber {
  readonly raw: string;
}

export type Json = null | boolean | number | string | RawNumber | readonly Json[] | { readonly [key: string]: Json };

const isRaw = (value: object): value is RawNumber => Object.keys(value).length === 1 && 'raw' in value;

/** Returns JSON text with numbers in their original spelling. */
export function jsonText(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (isRaw(value)) return value.raw;
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`)
    .join(',')}}`;
}

export const entityNames = entities.map(({ name }) => name);
export const fieldNames = [...new Set(entities.flatMap(({ fields }) => fields.map(({ name }) => name)))];

export const fieldsOf = (entity: string): string[] =>
  entities.find(({ name }) => name === entity)?.fields.map(({ name }) => name) ?? fieldNames;

const knownTexts = [
  'Linux',
  'kernel',
  'os',
  'production',
  'web01.alder.test',
  'rich.alder.test',
  'File',
  'changed',
  'success',
  'active',
  'any',
  'true',
  '2024-03-04T11:01:00.000Z',
  '2024-03-04',
  '2024-02-30T25:61:00Z',
  '0000-01-01',
  '99999-12-31T00:00:00Z',
  'infinity',
  'now',
  '0',
  '-1',
  '1e309',
];
const hostileTexts = [
  '',
  ' ',
  "'",
  '"',
  '\\',
  '%',
  '$1',
  '\u0000',
  '\ud800',
  '💥',
  "'; --",
  'x'.repeat(3000),
  '{}',
  '[]',
];
export const text = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...knownTexts) },
  { weight: 2, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);

const rawNumbers = [
  '1e400',
  '-1e-400',
  '9223372036854775808',
  '1.0',
  '-0.0',
  '1E5',
  `1${'0'.repeat(400)}`,
  `0.${'3'.repeat(60)}`,
];
export const number = fc.oneof(
  fc.integer({ min: -3, max: 70 }),
  fc.constantFrom<Json>(...rawNumbers.map((raw) => ({ raw })), 1709500000000, 2147483648, 4.5),
);

const patterns = [
  '^web',
  '.*',
  '(?i)lin',
  '\\d+',
  '[[:alpha:]]',
  '(',
  '[',
  '*',
  '\\',
  '(?<x>a)',
  '\\y',
  '{1,99999}',
  'a{1,300}',
  '(a|b)*c',
  '\\p{L}',
];
export const pattern = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...patterns) }, text);

/** Relative times, and texts that look like relative times. */
export const relativeTime = fc.constantFrom<Json>(
  '2 hours ago',
  '3d ago',
  '36501 days ago',
  '2 months ago',
  ['now'],
  ['-', ['now'], '90m'],
  ['+', ['now'], '999999999w'],
  ['-', ['now'], 2],
  ['-', 'now'],
);

export const scalar = fc.oneof<fc.Arbitrary<Json>[]>(text, text, number, fc.boolean(), fc.constant(null));

/** Any JSON, small. */
export const anything = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(text, tie('any'), { maxKeys: 2 }),
  ),
})).any;

const steps = [
  'os',
  'name',
  'kernel',
  'disks[0]',
  'x[99999999999]',
  '"a.b"',
  '"a\\"b"',
  'match("^k.*")',
  'match("(")',
  '',
  '0',
  'a b',
  'grün',
  '"',
];
/** `facts.os.name` and texts that look like it. */
export const dottedName = fc
  .tuple(
    fc.constantFrom('facts', 'trusted', 'parameters', 'nothing'),
    fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 4 }),
  )
  .map(([container, rest]) => [container, ...rest].join('.'));
