import type { Column, Condition, EntitySelection, FieldRef, OrderTerm } from '../ast/ast';
import { conditionParts } from '../ast/condition-parts';
import type { Entity } from '../entities/entity';
import { knownFunction } from '../operators/functions';

/** Returns whether the condition uses only facts and the fields in `names`. */
export function usesOnly(condition: Condition | undefined, names: ReadonlySet<string>): boolean {
  if (!condition) return true;
  const { conditions, fields } = conditionParts(condition);
  return (
    fields.every((field) => (field.kind === 'name' ? names.has(field.name) : field.container !== 'parameter')) &&
    conditions.every((one) => usesOnly(one, names))
  );
}

/** Returns whether the query groups rows and needs nothing except fields of `counted` and the number of rows. */
export function onlyCounts(query: EntitySelection, restrict: Condition | undefined, counted: Entity): boolean {
  const { columns = [], groupBy = [], having = [], orderBy = [], condition } = query;
  if (columns.length === 0) return false;
  const names = new Set([...counted.fields.map((field) => field.name), 'node_state']);
  const has = (field: FieldRef): boolean => field.kind === 'name' && names.has(field.name);
  const counts = (column: Column): boolean =>
    column.kind === 'field'
      ? has(column.field)
      : column.field === undefined && knownFunction(column.name).ofCounts !== undefined;
  const orders = (term: OrderTerm): boolean => ('call' in term ? counts(term.call) : names.has(term.field));
  const isGrouped = groupBy.length > 0 || query.distinct === true || columns.some(({ kind }) => kind === 'call');
  return (
    isGrouped &&
    columns.every(counts) &&
    groupBy.every(counts) &&
    having.every(({ call }) => counts(call)) &&
    orderBy.every(orders) &&
    usesOnly(condition, names) &&
    usesOnly(restrict, names)
  );
}
