import { equality, inequality } from './equality';
import { match, matchIgnoringCase, pathMatch } from './matching';
import { nullTest } from './null-test';
import type { FieldOperator } from './operator';
import { orderings } from './ordering';

export const fieldOperators: readonly FieldOperator[] = [
  equality,
  inequality,
  ...orderings,
  match,
  matchIgnoringCase,
  pathMatch,
  nullTest,
];

const byName = new Map(fieldOperators.map((operator) => [operator.name, operator]));

export const fieldOperator = (name: string): FieldOperator | undefined => byName.get(name);

interface StructuralOperator {
  readonly name: string;
  readonly summary: string;
  readonly example: string;
  readonly pql: string;
}

export const structuralOperators = [
  {
    name: 'and',
    summary: 'All conditions are true.',
    example: '["and", ["=", "type", "File"], ["=", "title", "/etc/motd"]]',
    pql: 'type = "File" and title = "/etc/motd"',
  },
  {
    name: 'or',
    summary: 'At least one condition is true.',
    example: '["or", ["=", "type", "File"], ["=", "type", "Service"]]',
    pql: 'type = "File" or type = "Service"',
  },
  {
    name: 'not',
    summary: 'The condition is not true.',
    example: '["not", ["=", "type", "File"]]',
    pql: '!(type = "File")',
  },
  {
    name: 'in',
    summary:
      'The field equals one of the values in an array, or in the rows of another query. Several fields can be compared with several columns.',
    example: '["in", "certname", ["array", ["web01", "web02"]]]',
    pql: 'certname in ["web01", "web02"]',
  },
  {
    name: 'subquery',
    summary:
      'The other entity has a row for the same node, environment or producer, and the condition is true for this row.',
    example: '["subquery", "resources", ["=", "type", "Package"]]',
    pql: 'resources { type = "Package" }',
  },
] as const satisfies readonly StructuralOperator[];
