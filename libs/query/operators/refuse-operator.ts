import { excerpt } from '#fault';
import { malformed } from '../ast/malformed';
import type { PlannedField } from '../plan/plan';

/** Refuses fields of which only `{href, data}` is shown. */
export function refuseExpanded(operator: string, field: PlannedField): void {
  if (field.type === 'expanded') throw notAllowed(operator, field);
}

export const notAllowed = (operator: string, field: PlannedField): Error =>
  malformed('operator', `Query operator ${operator} is not allowed on field ${excerpt(field.label)}`);
