import type { Alternatives, Literal } from '../kinds/field-test';
import type { Test } from '../plan/plan';

export type AndOrTest = Extract<Test, { kind: 'and' | 'or' }>;

/**
 * PostgreSQL merges nested conjunctions, and alternatives under a `not`, into one and compares each pair of its members.
 * If there are more than `most` members, only `shown` of them are shown to its planner.
 */
export const visibleConjuncts = { most: 500, shown: 50 } as const;

/** Whether PostgreSQL treats the junction as a conjunction. `odd`: it is nested in an odd number of `not`. */
export const isConjunction = (kind: AndOrTest['kind'], odd: boolean): boolean => (kind === 'and') !== odd;

/** The counts of junctions. Without it, nested junctions would be counted once for each level. */
const counted = new WeakMap<AndOrTest, number>();

/** How many members the test adds to the conjunction that it is in. */
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

/** Fewer negations, alternatives or facts than this are not combined. */
export const many = 10;

/** `not a and not b and …`, which clients send to leave out hosts by the thousand, as `not (a or b or …)`. */
export function withoutMany(members: readonly Test[]): readonly Test[] {
  const negations = members.flatMap((member) => (member.kind === 'not' ? [member.member] : []));
  if (negations.length < many) return members;
  const rest = members.filter((member) => member.kind !== 'not');
  return [...rest, { kind: 'not', member: { kind: 'or', members: negations } }];
}

/** Equalities of one field become one comparison with an array: clients send alternatives by the thousand. */
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
