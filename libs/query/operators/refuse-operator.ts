import { excerpt, type Fault } from '#fault';
import { malformed } from '../ast/malformed';
import type { FieldKind } from '../kinds/field-kind';
import type { FieldOperator } from './operator';
import type { Language } from './language';

export function refusedOperator(
  { name, refusal = `Query operator ${name} is` }: { readonly name: string; readonly refusal?: string },
  { kind, label }: { readonly kind: FieldKind; readonly label: string },
  { fieldOperators }: Language,
): Fault {
  const text = `${refusal} not allowed on field ${excerpt(label)}`;
  const known = fieldOperators.filter((one) => one.on(kind) !== undefined);
  if (known.length === 0)
    return malformed('operator', text, { hint: 'The field can be extracted, but no condition can name it.' });
  const operators = [...known.map((one) => one.name), ...(kind.isIn ? ['in'] : [])].join(' ');
  return malformed('operator', text, {
    hint: `The field is ${kind.noun}; its operators are ${operators}${otherwiseInPql(known)}.`,
  });
}

function otherwiseInPql(operators: readonly FieldOperator[]): string {
  const words = operators.flatMap(({ name, pql }) => {
    const form = pql.find((one) => ('infix' in one ? one.negated !== true : one.value));
    const spelled = form && ('infix' in form ? form.infix : form.suffix);
    return spelled === undefined || spelled === name ? [] : [`${spelled} for ${name}`];
  });
  return words.length === 0 ? '' : ` (in PQL: ${words.join(', ')})`;
}
