import { excerpt, type Fault } from '#fault';
import { type AstJson, displayAst, isList, isMap, NumberText, stringifyAst } from '../ast/json';
import { malformed } from '../ast/malformed';
import { valueHint, type ExpectedType } from './value-hint';

export const isScalar = (value: AstJson): boolean => !isList(value) && !isMap(value);

/** Returns JSON text that jsonb accepts. Throws `query.value` if a number is out of range. */
export function jsonText(value: AstJson): string {
  checkNumbers(value);
  return stringifyAst(value);
}

function checkNumbers(value: AstJson): void {
  if (value instanceof NumberText) {
    if (!inNumericRange(value)) throw malformed('value', `The number ${excerpt(value.text)} is out of range`);
  } else if (isList(value)) value.forEach(checkNumbers);
  else if (isMap(value)) for (const one of value.values()) checkNumbers(one);
}

// These limits on the length and the exponent exclude numbers with more than 16383 digits after the point, which
// PostgreSQL's type numeric cannot store.
function inNumericRange(number: NumberText): boolean {
  if (number.text.length > 5_000) return false;
  const exponent = Number(/[eE]([+-]?\d+)$/.exec(number.text)?.[1] ?? 0);
  return Math.abs(exponent) <= 10_000;
}

export const numberText = (value: AstJson): string | undefined =>
  value instanceof NumberText && inNumericRange(value) ? value.text : undefined;

/** Throws `query.value` if the value is not a number. */
export function orderedNumber(operator: string, value: AstJson, label: string): string {
  const number = numberText(value);
  if (number !== undefined) return number;
  throw malformed(
    'value',
    `Argument "${shownText(value)}" and operator "${operator}" have incompatible types.`,
    valueHint('number', label, value),
  );
}

export const incompatible = (kind: string, wanted: ExpectedType, value: AstJson, label: string): Fault =>
  malformed(
    'value',
    `Argument ${displayAst(value)} is incompatible with ${kind} field "${excerpt(label)}".`,
    valueHint(wanted, label, value),
  );

/** Leaves out null, and throws `query.value` if the elements have several types. */
export function ofOneType(values: readonly AstJson[]): AstJson[] {
  if (new Set(values.map(typeName)).size > 1) throw malformed('value', 'All values in array must be the same type.');
  return values.filter((value) => value !== null);
}

const typeName = (value: AstJson): string => (value instanceof NumberText ? 'number' : typeof value);

export function plainText(value: AstJson): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? value : stringifyAst(value);
}

export const shownText = (value: AstJson): string => excerpt(plainText(value));
