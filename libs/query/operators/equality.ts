import type { AstJson } from '../ast/json';
import { malformed } from '../ast/malformed';
import { isScalar, jsonText, literal, plainText, shownText } from '../plan/literals';
import type { PlannedField, Test, TreeTest } from '../plan/plan';
import { valueHint } from '../plan/value-hint';
import { constant, folded, isNull, memberOf, pathEquals, treeTest } from '../plan/tests';
import type { FieldOperator, MemberOf } from './operator';

export const equality: FieldOperator = {
  name: '=',
  pql: [{ infix: '=' }, { infix: '!=', negated: true }],
  value: 'any',
  summary: 'The field equals the value. A list equals each of its elements.',
  fields: 'all but those that show `href` and `data`',
  example: '["=", "certname", "web01.example.com"]',
  counts: 'unless-or',
  allows: ({ type }) => type !== 'expanded',
  plan,
  planMember,
};

export const inequality: FieldOperator = {
  ...equality,
  name: '!=',
  pql: [],
  negates: '=',
  summary: 'The opposite of `=`.',
  example: '["!=", "status", "failed"]',
};

function plan(field: PlannedField, value: AstJson): Test {
  const tree = memberOf(field);
  if (tree) return treeTest(tree, equals(value));
  if (field.type === 'path') return pathEquals(field, [value]);
  // Any value but false and nothing means true here.
  if (field.field.name === 'latest_report?')
    return { kind: 'equals', field, values: [literal(field, value !== false && value !== null && value !== 'false')] };
  if (value === null) {
    // A missing value of an event is kept as JSON null.
    if (field.type === 'json-text') return { kind: 'equals', field, values: [{ cast: 'text', value: 'null' }] };
    return isNull(field, true);
  }
  if (field.type === 'value')
    return isScalar(value) ? { kind: 'equals', field, values: [literal(field, value)] } : constant(false);
  if (field.type === 'json-text')
    return { kind: 'equals', field, values: [{ cast: isScalar(value) ? 'text' : 'jsonb', value: jsonText(value) }] };
  if (field.type === 'texts')
    return { kind: 'equals', field, values: [{ cast: 'text', value: folded(field, plainText(value)) }] };
  if (field.field.anyMeans !== undefined && value === field.field.anyMeans) return constant(true);
  return { kind: 'equals', field, values: [literal(field, value)] };
}

function planMember(value: AstJson, of: MemberOf): TreeTest {
  if (of === 'fact' && (value === null || !isScalar(value)))
    throw malformed(
      'value',
      `Operator '=' not allowed on value '${shownText(value)}'`,
      valueHint('text', undefined, value),
    );
  return equals(value);
}

function equals(value: AstJson): TreeTest {
  jsonText(value);
  return value === null ? { kind: 'is-null', expected: true } : { kind: 'equals', value };
}
