import { displayAst } from '../ast/json';
import { malformed } from '../ast/malformed';
import type { FieldOperator } from './operator';

export const nullTest: FieldOperator = {
  name: 'null?',
  pql: [
    { suffix: 'is not null', value: false },
    { suffix: 'is null', value: true },
  ],
  value: 'boolean',
  summary: 'With `true`, the field has no value. With `false`, the field has a value.',
  fields: 'all except fields of the type `expanded`',
  example: '["null?", "deactivated", true]',
  counts: 'later',
  check: (value) => {
    if (typeof value !== 'boolean')
      throw malformed('arguments', `null? requires true or false as its second argument, not ${displayAst(value)}`);
  },
  on: (kind) => {
    const isNull = kind.isNull?.bind(kind);
    return isNull && ((value) => isNull(value === true));
  },
};
