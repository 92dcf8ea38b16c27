import { displayAst } from '../ast/json';
import { malformed } from '../ast/malformed';
import { constant, isNull } from '../plan/tests';
import type { FieldOperator } from './operator';

export const nullTest: FieldOperator = {
  name: 'null?',
  pql: [
    { suffix: 'is not null', value: false },
    { suffix: 'is null', value: true },
  ],
  value: 'boolean',
  summary: 'With `true` the field has no value; with `false` it has one.',
  fields: 'all but those that show `href` and `data`',
  example: '["null?", "deactivated", true]',
  counts: 'later',
  allows: ({ type }) => type !== 'expanded',
  check: (value) => {
    if (typeof value !== 'boolean')
      throw malformed('arguments', `null? requires true or false as its second argument, not ${displayAst(value)}`);
  },
  plan: (field, value) => {
    // Values of events are JSON, and JSON null is a value.
    if (field.type === 'json-text') return constant(false);
    // Kept of the interface: of a single tag, `null?` asks whether there are no tags, with true and with false.
    return isNull(field, value === true || field.field.lowerCase === true);
  },
  planMember: (value) => ({ kind: 'is-null', expected: value === true }),
};
