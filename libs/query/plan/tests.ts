import { type AstJson, isList, NumberText } from '../ast/json';
import { malformed } from '../ast/malformed';
import { bind, type Fragment, sql } from '../sql/fragment';
import { pathKey } from '../sql/keys';
import type { PlannedField, Test, TreeTest } from './plan';

export const constant = (holds: boolean): Test => ({ kind: 'constant', holds });

/** A condition on the value of a field. */
export const onField = (field: PlannedField, condition: Fragment): Test => ({
  kind: 'expression',
  sql: condition,
  needs: field.needs,
});

export function isNull(field: PlannedField, expected: boolean): Test {
  // JSON null is a fact's way of having no value.
  if (field.type === 'value')
    return onField(field, sql`coalesce(${field.value}, 'null') ${expected ? sql`=` : sql`<>`} 'null'`);
  return onField(field, expected ? sql`${field.value} IS NULL` : sql`${field.value} IS NOT NULL`);
}

export const treeTest = (member: NonNullable<PlannedField['member']>, test: TreeTest): Test => ({
  kind: 'tree',
  tree: member.tree,
  steps: member.steps,
  test,
});

/** The member that a field stands for: a dotted name, or a whole tree. */
export const memberOf = (field: PlannedField): PlannedField['member'] =>
  field.member ?? (field.type === 'tree' && field.field.tree ? { tree: field.field.tree, steps: [] } : undefined);

export const folded = (field: PlannedField, text: string): string =>
  field.field.lowerCase === true ? text.toLowerCase() : text;

/** The path of a fact equals one of the values. */
export function pathEquals(field: PlannedField, values: readonly AstJson[]): Test {
  if (values.length === 1 && values[0] === null) return constant(false);
  const paths = values.map((value) => {
    if (!isList(value)) throw notAPath();
    return pathElements(value);
  });
  const key = field.field.pathKey;
  if (paths.length === 0 || key === undefined) return constant(false);
  return { kind: 'expression', sql: sql`${key} = ANY (${bind(paths.map(pathKey), 'bigint[]')})`, needs: [] };
}

export function pathElements(values: readonly AstJson[]): (string | number)[] {
  return values.map((value) => {
    if (typeof value === 'string') return value;
    if (value instanceof NumberText && value.isInteger) return Number(value.text);
    throw notAPath();
  });
}

const notAPath = (): Error => malformed('value', 'Path array element wasnt string or integer in {0}');
