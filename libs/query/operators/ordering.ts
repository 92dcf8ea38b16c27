import type { Ordering } from '../ast/ast';
import type { FieldOperator } from './operator';

const words: Record<Ordering, string> = {
  '<': 'less than',
  '>': 'greater than',
  '<=': 'less than or equal to',
  '>=': 'greater than or equal to',
};

const ordering = (name: Ordering): FieldOperator => ({
  name,
  pql: [{ infix: name }],
  value: 'text, number or time',
  summary: `The field is ${words[name]} the value.`,
  fields: 'times, numbers, values of facts and parameters',
  example: `["${name}", "report_timestamp", "2026-01-31T12:00:00Z"]`,
  counts: 'each',
  refusal: 'Query operators >,>=,<,<= are',
  on: (kind) => kind.orders?.bind(kind, name),
});

export const isOrdering = (name: string): name is Ordering => Object.hasOwn(words, name);

export const orderings = (Object.keys(words) as Ordering[]).map(ordering);
