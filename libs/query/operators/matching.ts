import { type AstJson, displayAst } from '../ast/json';
import { malformed } from '../ast/malformed';
import { constant } from '../kinds/field-test';
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
  check: (value) => {
    if (!expression(value))
      throw malformed('value', `~ requires a regular expression in a string, not ${displayAst(value)}`);
  },
  on: (kind) => {
    const matches = kind.matches?.bind(kind);
    return matches && ((value) => (typeof value === 'string' ? matches(value) : constant(false)));
  },
};

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
  on: (kind) => kind.matchesPath?.bind(kind),
};
