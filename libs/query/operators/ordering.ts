import type { Ordering } from '../ast/ast';
import { type AstJson, NumberText } from '../ast/json';
import { malformed } from '../ast/malformed';
import { isScalar, jsonText, orderLiteral, shownText } from '../plan/literals';
import type { PlannedField, Test, TreeTest } from '../plan/plan';
import { onField } from '../plan/tests';
import { valueHint } from '../plan/value-hint';
import { bind, sql } from '../sql/fragment';
import { operatorSql } from '../sql/tree';
import type { FieldOperator, MemberOf } from './operator';

const words: Record<Ordering, string> = {
  '<': 'less than',
  '>': 'greater than',
  '<=': 'less than or equal to',
  '>=': 'greater than or equal to',
};

const refusal = 'Query operators >,>=,<,<= are';

const isOrdered = ({ type, field }: PlannedField): boolean =>
  (type === 'timestamp' || type === 'integer' || type === 'value') && field.unordered !== true;

const ordering = (name: Ordering): FieldOperator => ({
  name,
  pql: [{ infix: name }],
  value: 'text or number',
  summary: `The field is ${words[name]} the value.`,
  fields: 'times, numbers, values of facts and parameters',
  example: `["${name}", "report_timestamp", "2026-01-31T12:00:00Z"]`,
  counts: 'each',
  allows: isOrdered,
  refusal,
  plan: (field, value) => plan(name, field, value),
  planMember: (value, of) => planMember(name, value, of),
});

export const orderings = (Object.keys(words) as Ordering[]).map(ordering);

function plan(operator: Ordering, field: PlannedField, value: AstJson): Test {
  const { value: bound, cast } = orderLiteral(field, operator, value);
  const compared = sql`${field.value} ${operatorSql(operator)} ${bind(bound, cast)}`;
  return onField(
    field,
    field.type === 'value' ? sql`(jsonb_typeof(${field.value}) = 'number' AND ${compared})` : compared,
  );
}

function planMember(operator: Ordering, value: AstJson, of: MemberOf): TreeTest {
  if (of === 'fact' && !(value instanceof NumberText))
    throw malformed(
      'value',
      `Operator '${operator}' not allowed on value '${shownText(value)}'`,
      valueHint('number', undefined, value),
    );
  if (!isScalar(value)) throw malformed('value', `Invalid ${operator} clause`);
  jsonText(value);
  return { kind: 'orders', operator, value };
}
