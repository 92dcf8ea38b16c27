import { excerpt } from '#fault';
import { type AstJson, displayAst, isList, isMap, NumberText, stringifyAst } from '../ast/json';
import { malformed } from '../ast/malformed';
import { readTimestamp } from '../ast/timestamp';
import type { Literal, PlannedField } from './plan';
import { valueHint } from './value-hint';

/** The value of `=` for a field with a column of its own; a Fault where it cannot be one of its values. */
export function literal(field: PlannedField, value: AstJson): Literal {
  switch (field.type) {
    case 'timestamp': {
      const time = readTimestamp(value);
      if (time === undefined)
        throw malformed(
          'value',
          `'${shownText(value)}' is not a valid timestamp value`,
          valueHint('time', field.label, value),
        );
      return { cast: 'timestamptz', value: time };
    }
    case 'integer':
      if (value instanceof NumberText && inNumericRange(value)) return { cast: 'numeric', value: value.text };
      throw malformed(
        'value',
        `Argument ${displayAst(value)} is incompatible with numeric field "${excerpt(field.label)}".`,
        valueHint('number', field.label, value),
      );
    case 'boolean':
      if (typeof value === 'boolean') return { cast: 'boolean', value };
      if (value === 'true' || value === 'false') return { cast: 'boolean', value: value === 'true' };
      throw malformed(
        'value',
        `Argument ${displayAst(value)} is incompatible with boolean field "${excerpt(field.label)}".`,
        valueHint('true or false', field.label, value),
      );
    case 'value':
      return { cast: 'jsonb', value: jsonText(value) };
    default:
      if (typeof value === 'string') return { cast: 'text', value };
      throw malformed(
        'value',
        `Argument ${displayAst(value)} is incompatible with string field "${excerpt(field.label)}".`,
        valueHint('text', field.label, value),
      );
  }
}

/** A member of `["array", ...]`: undefined where no value of the field can equal it. */
export function memberLiteral(field: PlannedField, value: AstJson): Literal | undefined {
  if (value === null) return undefined;
  switch (field.type) {
    case 'timestamp': {
      const time = readTimestamp(value);
      return time === undefined ? undefined : { cast: 'timestamptz', value: time };
    }
    case 'integer': {
      const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? new NumberText(value) : value;
      return number instanceof NumberText ? literal(field, number) : undefined;
    }
    case 'boolean':
      return typeof value === 'boolean' || value === 'true' || value === 'false' ? literal(field, value) : undefined;
    case 'value':
      return isScalar(value) ? literal(field, value) : undefined;
    default:
      return isScalar(value) ? { cast: 'text', value: plainText(value) } : undefined;
  }
}

/** The right side of `<` and its like. */
export function orderLiteral(field: PlannedField, operator: string, value: AstJson): Literal {
  if (field.type === 'timestamp') return literal(field, value);
  if (value instanceof NumberText && inNumericRange(value))
    return { cast: field.type === 'integer' ? 'numeric' : 'jsonb', value: value.text };
  throw malformed(
    'value',
    `Argument "${shownText(value)}" and operator "${operator}" have incompatible types.`,
    valueHint('number', field.label, value),
  );
}

export const isScalar = (value: AstJson): boolean => !isList(value) && !isMap(value);

/** JSON text that jsonb accepts; a Fault for numbers beyond its range. */
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

// PostgreSQL's numeric: up to 131072 digits before the point and 16383 after it.
function inNumericRange(number: NumberText): boolean {
  if (number.text.length > 5_000) return false;
  const exponent = Number(/[eE]([+-]?\d+)$/.exec(number.text)?.[1] ?? 0);
  return Math.abs(exponent) <= 10_000;
}

/** A value as text: a string without its quotes. */
export function plainText(value: AstJson): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? value : stringifyAst(value);
}

/** The same as error texts put it in quotes. */
export const shownText = (value: AstJson): string => excerpt(plainText(value));
