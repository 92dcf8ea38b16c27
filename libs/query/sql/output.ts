import type { FieldType } from '../entities/entity';
import type { PlannedField } from '../plan/plan';
import { type Fragment, bind, comma, join, sql } from './fragment';
import { treeValue } from './tree';

/** A time as answers print it: UTC, three digits. */
export const printedTime = (value: Fragment): Fragment =>
  sql`to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What is printed for a comparable value of a type. */
export function printed(type: FieldType, value: Fragment): Fragment {
  if (type === 'timestamp') return printedTime(value);
  if (type === 'json-text') return sql`(${value})::json`;
  return value;
}

/** The comparable value of a field, also inside a tree. */
export function comparableValue(field: PlannedField): Fragment {
  return field.member ? treeValue(field.member.tree, field.member.steps) : field.value;
}

/** What a field shows in a record, with the joins that it needs. */
export function shownValue(
  field: PlannedField,
  edition: 'full' | 'open',
): { value: Fragment; needs: readonly string[] } {
  if (field.member) return { value: treeValue(field.member.tree, field.member.steps), needs: field.needs };
  const output = edition === 'open' ? (field.field.openOutput ?? field.field.output) : field.field.output;
  if (output) return { value: output, needs: field.field.outputNeeds ?? field.needs };
  return { value: printed(field.type, field.value), needs: field.needs };
}

// PostgreSQL's functions take at most 100 arguments.
const pairsAtOnce = 45;

/** The text of a JSON object; labels are bound, not written. */
export function objectText(members: readonly { label: string; value: Fragment }[]): Fragment {
  const parts: Fragment[] = [];
  for (let at = 0; at < members.length; at += pairsAtOnce) {
    const some = members.slice(at, at + pairsAtOnce);
    const pairs = some.map(({ label, value }) => sql`${bind(label, 'text')}, ${value}`);
    parts.push(sql`json_build_object(${join(pairs, comma)})::text`);
  }
  const [first, ...rest] = parts;
  if (!first) return sql`'{}'`;
  return rest.reduce((left, right) => sql`"left"(${left}, -1) || ', ' || substr(${right}, 2)`, first);
}
