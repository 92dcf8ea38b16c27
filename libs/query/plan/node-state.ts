import type { FieldRef } from '../ast/ast';
import { type AstJson, displayAst } from '../ast/json';
import { malformed } from '../ast/malformed';
import { type Fields, nameOf } from './fields';
import { plainText } from '../kinds/literals';
import type { Test } from './plan';

export const isNodeState = (ref: FieldRef): boolean =>
  ref.kind === 'name' ? ref.name === 'node_state' : ref.container === 'node' && ref.key === 'active';

export function planNodeState(operator: string, ref: FieldRef, value: AstJson, fields: Fields): Test {
  if (operator !== '=')
    throw malformed('operator', `Query operators >,>=,<,<= are not allowed on field ${nameOf(ref)}`, {
      hint: 'Compare the state of a node with =.',
    });
  // Every row matches `any`, even if the entity has no nodes. With any other state, a query of an entity without nodes
  // is refused, because this entity does not have the field.
  const isAny = ref.kind === 'name' && plainText(value).toLowerCase() === 'any';
  if (fields.entity.nodeJoin === undefined && !isAny) fields.queryable(nameOf(ref));
  if (ref.kind === 'keyed')
    return { kind: 'node-state', state: value === false || value === null ? 'inactive' : 'active' };
  const state = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (state === 'active' || state === 'inactive' || state === 'any') return { kind: 'node-state', state };
  throw malformed('value', `node_state is active, inactive or any, not ${displayAst(value)}`);
}
