import { excerpt, type Fault } from '#fault';
import { malformed } from '../ast/malformed';
import type { FieldType } from '../entities/entity';
import type { PlannedField } from '../plan/plan';
import { equality } from './equality';
import type { FieldOperator } from './operator';
import { fieldOperators } from './operators';

const kinds: Readonly<Record<FieldType, string>> = {
  text: 'a text',
  integer: 'a number',
  boolean: 'true or false',
  timestamp: 'a time',
  path: 'a path',
  value: 'a value of any type',
  texts: 'a list of texts',
  'json-text': 'a value of any type',
  tree: 'a map',
  expanded: 'a part of the answer',
};

/** Whether a field can be compared with a list of values by `in`. */
export const allowsIn = (field: PlannedField): boolean =>
  equality.allows(field) && (field.type !== 'texts' || field.field.lowerCase === true);

/** The refusal of an operator that the field does not have. It names those that the field has. */
export function refusedOperator(
  { name, refusal = `Query operator ${name} is` }: { readonly name: string; readonly refusal?: string },
  field: PlannedField,
): Fault {
  const text = `${refusal} not allowed on field ${excerpt(field.label)}`;
  const known = fieldOperators.filter((one) => one.allows(field));
  if (known.length === 0)
    return malformed('operator', text, { hint: 'The field can be extracted, but no condition can name it.' });
  const operators = [...known.map((one) => one.name), ...(allowsIn(field) ? ['in'] : [])].join(' ');
  return malformed('operator', text, {
    hint: `The field is ${kinds[field.type]}; its operators are ${operators}${otherwiseInPql(known)}.`,
  });
}

/** How PQL writes those of the operators for which it has other words. */
function otherwiseInPql(operators: readonly FieldOperator[]): string {
  const words = operators.flatMap(({ name, pql }) => {
    const form = pql.find((one) => ('infix' in one ? one.negated !== true : one.value));
    const spelled = form && ('infix' in form ? form.infix : form.suffix);
    return spelled === undefined || spelled === name ? [] : [`${spelled} for ${name}`];
  });
  return words.length === 0 ? '' : ` (in PQL: ${words.join(', ')})`;
}
