import { excerpt, type Fault } from '#fault';
import { malformed } from '../ast/malformed';
import type { FieldKind } from '../kinds/field-kind';
import { fieldOperators } from './operators';

/** The refusal of an operator that the field does not have. It names those that the field has. */
export function refusedOperator(
  { name, refusal = `Query operator ${name} is` }: { readonly name: string; readonly refusal?: string },
  { kind, label }: { readonly kind: FieldKind; readonly label: string },
): Fault {
  const text = `${refusal} not allowed on field ${excerpt(label)}`;
  const known = fieldOperators.filter((one) => one.on(kind) !== undefined).map((one) => one.name);
  if (known.length === 0)
    return malformed('operator', text, { hint: 'The field can be extracted, but no condition can name it.' });
  const operators = [...known, ...(kind.isIn ? ['in'] : [])].join(' ');
  return malformed('operator', text, {
    hint: `The field is ${kind.noun}; its operators are ${operators} (in PQL: is null for null?).`,
  });
}
