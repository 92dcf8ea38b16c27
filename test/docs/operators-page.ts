/** Makes docs/operators.md from the tables of operators and functions. */
import { queryFunctions } from '../../libs/query/operators/functions';
import type { PqlForm } from '../../libs/query/operators/operator';
import { fieldOperators, structuralOperators } from '../../libs/query/operators/operators';
import { markdownTable } from './markdown-table';

const code = (text: string): string => `\`${text}\``;

function pqlForm(form: PqlForm): string {
  const text = code('infix' in form ? form.infix : form.suffix);
  if ('suffix' in form) return `${text} (${form.value})`;
  return form.negated === true ? `${text} (negated)` : text;
}

/** The whole page, as prettier would lay it out. */
export function operatorsPage(): string {
  return `${[
    '# Operators and functions of queries',
    'Which operators a field has is in [entities.md](entities.md). This page is made from the tables in\n' +
      '`libs/query/operators`; `NODELEDGER_WRITE_PAGES=1 npx jest test/docs` writes it again.',
    '## Operators on a field',
    'In JSON a condition is `[operator, field, value]`. In PQL it is `field operator value`.',
    markdownTable(
      ['operator', 'in PQL', 'meaning', 'fields', 'example'],
      fieldOperators.map(({ name, pql, summary, fields, example }) => [
        code(name),
        pql.map(pqlForm).join(', ') || 'none',
        summary,
        fields,
        code(example),
      ]),
    ),
    '## Operators on conditions and queries',
    markdownTable(
      ['operator', 'meaning', 'example', 'in PQL'],
      structuralOperators.map(({ name, summary, example, pql }) => [code(name), summary, code(example), code(pql)]),
    ),
    '## Functions',
    'In JSON a call is `["function", name, field]` in the columns of `extract`. A function that folds rows gives one value for\n' +
      'each group of `group_by`, or for all rows without it.',
    markdownTable(
      ['function', 'meaning', 'fields', 'folds rows', 'example in PQL'],
      queryFunctions.map(({ name, summary, fields, isAggregate, example }) => [
        code(name),
        summary,
        fields,
        isAggregate ? 'yes' : '',
        code(example),
      ]),
    ),
  ].join('\n\n')}\n`;
}
