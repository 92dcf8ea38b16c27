import { type Fragment, bind, comma, join, sql } from './fragment';

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
