import { type AstJson, displayAst } from '../ast/json';
import { malformed } from '../ast/malformed';
import { constant } from '../kinds/field-test';
import type { FieldOperator } from './operator';

const expression = (value: AstJson): value is string | null => value === null || typeof value === 'string';

const matching = (
  ignoresCase: boolean,
): Pick<FieldOperator, 'value' | 'fields' | 'takesExpressions' | 'counts' | 'check' | 'on'> => ({
  value: 'text',
  fields: 'texts, lists of texts, paths, values of facts, parameters and events',
  takesExpressions: true,
  counts: 'each',
  check: (value) => {
    if (!expression(value))
      throw malformed(
        'value',
        `${ignoresCase ? '~*' : '~'} requires a regular expression in a string, not ${displayAst(value)}`,
      );
  },
  on: (kind) => {
    const matches = kind.matches?.bind(kind);
    return (
      matches && ((value) => (typeof value === 'string' ? matches({ text: value, ignoresCase }) : constant(false)))
    );
  },
});

export const match: FieldOperator = {
  ...matching(false),
  name: '~',
  pql: [{ infix: '~' }, { infix: '!~', negated: true }],
  summary:
    'The regular expression (of PostgreSQL) matches a part of the field. A list matches if one of its elements matches.',
  example: '["~", "certname", "^web\\\\d+"]',
};

export const matchIgnoringCase: FieldOperator = {
  ...matching(true),
  name: '~*',
  pql: [{ infix: '~*' }, { infix: '!~*', negated: true }],
  summary: 'As `~`, but the match ignores upper and lower case.',
  example: '["~*", "certname", "^WEB"]',
  addition: 'ignore-case',
};

export const pathMatch: FieldOperator = {
  name: '~>',
  pql: [{ infix: '~>' }],
  value: 'texts',
  summary:
    'The path of a fact has as many elements as the list, and each element matches the regular expression at its position. A number in the list matches only the array element with this index.',
  fields: '`path` of fact_contents and fact_paths',
  example: '["~>", "path", ["networking", ".*", "mac"]]',
  takesExpressions: true,
  counts: 'each',
  on: (kind) => kind.matchesPath?.bind(kind),
};
