import type { Alternatives, Literal } from '../kinds/field-test';
import type { Test } from '../plan/plan';

export type AndOrTest = Extract<Test, { kind: 'and' | 'or' }>;

/**
 * PostgreSQL merges nested conjunctions (and alternatives under a `not`), and compares each pair of the members. If a
 * conjunction has more than `most` members, the planner sees only `shown` of them.
 */
export const visibleConjuncts = { most: 500, shown: 50 } as const;

/** `odd` means that the junction is nested in an odd number of `not`. */
export const isConjunction = (kind: AndOrTest['kind'], odd: boolean): boolean => (kind === 'and') !== odd;

/** Without this cache, nested junctions would be counted once for each level. */
const counted = new WeakMap<AndOrTest, number>();

export function conjuncts(test: Test, odd: boolean): number {
  if (test.kind === 'not') return conjuncts(test.member, !odd);
  if ((test.kind !== 'and' && test.kind !== 'or') || !isConjunction(test.kind, odd)) return 1;
  let count = counted.get(test);
  if (count === undefined) {
    count = 0;
    for (const member of mergedMembers(test)) count += conjuncts(member, odd);
    counted.set(test, count);
  }
  return count;
}

export const mergedMembers = ({ kind, members }: AndOrTest): readonly Test[] =>
  kind === 'and' ? withoutMany(members) : merged(members);

/** Smallest number of negations, alternatives or facts that are combined. */
export const many = 10;

/** Converts `not a and not b and …` to `not (a or b or …)`. Clients exclude thousands of hosts with such conditions. */
export function withoutMany(members: readonly Test[]): readonly Test[] {
  const negations = members.flatMap((member) => (member.kind === 'not' ? [member.member] : []));
  if (negations.length < many) return members;
  const rest = members.filter((member) => member.kind !== 'not');
  return [...rest, { kind: 'not', member: { kind: 'or', members: negations } }];
}

/**
 * Combines equalities of one field into one comparison with an array, because clients send thousands of alternatives.
 */
export function merged(members: readonly Test[]): Test[] {
  const rest: Test[] = [];
  const byField = new Map<Alternatives, Literal[]>();
  for (const member of members) {
    if (member.kind !== 'equals') {
      rest.push(member);
      continue;
    }
    const found = byField.get(member.field);
    if (found) for (const literal of member.literals) found.push(literal);
    else byField.set(member.field, [...member.literals]);
  }
  return [...[...byField].map(([field, literals]): Test => ({ kind: 'equals', field, literals })), ...rest];
}
