import { excerpt, type Fault } from '#fault';
import { type AstJson, displayAst, isList, isMap, NumberText, stringifyAst } from '../ast/json';
import { malformed } from '../ast/malformed';
import { valueHint, type ExpectedType } from './value-hint';

export const isScalar = (value: AstJson): boolean => !isList(value) && !isMap(value);

/** Returns JSON text that jsonb accepts. Throws a fault for numbers outside its range. */
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

// Returns whether PostgreSQL's type numeric can hold the number: up to 131072 digits before the point and 16383 after
// it.
function inNumericRange(number: NumberText): boolean {
  if (number.text.length > 5_000) return false;
  const exponent = Number(/[eE]([+-]?\d+)$/.exec(number.text)?.[1] ?? 0);
  return Math.abs(exponent) <= 10_000;
}

/** Returns the text of a number that PostgreSQL accepts, or undefined for any other value. */
export const numberText = (value: AstJson): string | undefined =>
  value instanceof NumberText && inNumericRange(value) ? value.text : undefined;

/** Returns the number on the right side of `<`, `<=`, `>` or `>=`. */
export function orderedNumber(operator: string, value: AstJson, label: string): string {
  const number = numberText(value);
  if (number !== undefined) return number;
  throw malformed(
    'value',
    `Argument "${shownText(value)}" and operator "${operator}" have incompatible types.`,
    valueHint('number', label, value),
  );
}

/** Fault for a value that a field can never equal. */
export const incompatible = (kind: string, wanted: ExpectedType, value: AstJson, label: string): Fault =>
  malformed(
    'value',
    `Argument ${displayAst(value)} is incompatible with ${kind} field "${excerpt(label)}".`,
    valueHint(wanted, label, value),
  );

/** Returns the elements, without null, of the array that a fact or a parameter is compared with. */
export function ofOneType(values: readonly AstJson[]): AstJson[] {
  if (new Set(values.map(typeName)).size > 1) throw malformed('value', 'All values in array must be the same type.');
  return values.filter((value) => value !== null);
}

const typeName = (value: AstJson): string => (value instanceof NumberText ? 'number' : typeof value);

/** Returns a value as text; a string without its quotes. */
export function plainText(value: AstJson): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? value : stringifyAst(value);
}

/** Returns the text of a value for error messages, in quotes. */
export const shownText = (value: AstJson): string => excerpt(plainText(value));
