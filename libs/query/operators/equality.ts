import type { FieldOperator } from './operator';

export const equality: FieldOperator = {
  name: '=',
  pql: [{ infix: '=' }, { infix: '!=', negated: true }],
  value: 'any',
  summary: 'The field equals the value. A list of texts matches if one of its elements equals the value.',
  fields: 'all except fields of the type `expanded`',
  example: '["=", "certname", "web01.example.com"]',
  counts: 'unless-or',
  on: (kind) => kind.equals?.bind(kind),
};

export const inequality: FieldOperator = {
  ...equality,
  name: '!=',
  pql: [],
  negates: '=',
  summary: 'The opposite of `=`.',
  example: '["!=", "status", "failed"]',
};
