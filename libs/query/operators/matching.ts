import { type AstJson, displayAst, isList } from '../ast/json';
import { malformed } from '../ast/malformed';
import type { PlannedField, Test } from '../plan/plan';
import { constant, folded, memberOf, onField, pathElements, treeTest } from '../plan/tests';
import { all, bind, type Fragment, sql, subQuery, table } from '../sql/fragment';
import { regularExpression } from '../sql/pattern';
import type { FieldOperator } from './operator';

const expression = (value: AstJson): value is string | null => value === null || typeof value === 'string';

export const match: FieldOperator = {
  name: '~',
  pql: [{ infix: '~' }, { infix: '!~', negated: true }],
  value: 'text',
  summary: "PostgreSQL's regular expression matches a part of the field. A list matches if one of its elements does.",
  fields: 'texts, lists of texts, paths, values of facts, parameters and events',
  example: '["~", "certname", "^web\\\\d+"]',
  takesExpressions: true,
  counts: 'each',
  allows: ({ type }) => !['timestamp', 'integer', 'boolean', 'expanded'].includes(type),
  check: (value) => {
    if (!expression(value))
      throw malformed('value', `~ requires a regular expression in a string, not ${displayAst(value)}`);
  },
  plan: planMatch,
  planMember: (value) => (typeof value === 'string' ? { kind: 'matches', pattern: value } : undefined),
};

function planMatch(field: PlannedField, value: AstJson): Test {
  if (typeof value !== 'string') return constant(false);
  const tree = memberOf(field);
  if (tree) return treeTest(tree, { kind: 'matches', pattern: value });
  const pattern = field.type === 'json-text' ? JSON.stringify(value) : folded(field, value);
  return onField(field, matches(field, regularExpression(pattern)));
}

function matches({ type, value, field }: PlannedField, pattern: Fragment): Fragment {
  if (type === 'texts') return subQuery(sql`EXISTS (SELECT FROM unnest(${value}) m (one) WHERE m.one ~ ${pattern})`);
  if (type === 'value') return sql`(${value} #>> '{}') ~ ${pattern}`;
  if (type === 'path') return sql`${field.sort ?? value} ~ ${pattern}`;
  // A row without the value does not match, and so matches under `not`.
  return sql`coalesce(${value} ~ ${pattern}, false)`;
}

export const pathMatch: FieldOperator = {
  name: '~>',
  pql: [{ infix: '~>' }],
  value: 'texts',
  summary:
    'The path of a fact has as many elements as the list, and each matches its regular expression. A number matches that index only.',
  fields: '`path` of fact_contents and fact_paths',
  example: '["~>", "path", ["networking", ".*", "mac"]]',
  takesExpressions: true,
  counts: 'each',
  allows: ({ type }) => type === 'path',
  plan: (field, value) => {
    if (!isList(value)) throw malformed('value', `~> requires a list of regular expressions, not ${displayAst(value)}`);
    return pathMatches(pathElements(value), field);
  },
};

/** Paths with as many elements, each of which matches. A number matches that index only. */
function pathMatches(patterns: readonly (string | number)[], planned: PlannedField): Test {
  if (patterns.length === 0) return constant(false);
  const { wholeElements, pathKey } = planned.field;
  const elements = patterns.map((pattern, index) =>
    typeof pattern === 'number'
      ? sql`(p.elements -> ${place(index)}) = ${bind(String(pattern), 'jsonb')}`
      : sql`(p.elements ->> ${place(index)}) ~ ${regularExpression(wholeElements === true ? `^(?:${pattern})$` : pattern)}`,
  );
  const shape = sql`p.depth = ${bind(patterns.length - 1, 'numeric')} AND ${all(elements)}`;
  if (!pathKey) return onField(planned, shape);
  // The paths are few and shared by all nodes: they are searched first, then their rows found by key.
  const paths = sql`SELECT p.path FROM ${table('fact_paths')} p WHERE ${shape}`;
  return { kind: 'expression', sql: subQuery(sql`${pathKey} IN (${paths})`), needs: [] };
}

const place = (index: number): Fragment => sql`${bind(index, 'numeric')}::int`;
