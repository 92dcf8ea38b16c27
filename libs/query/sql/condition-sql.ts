import { FactValue } from '../kinds/fact-value';
import type { FieldKind } from '../kinds/field-kind';
import type { Literal } from '../kinds/field-test';
import type { Plan, Test } from '../plan/plan';
import {
  conjuncts,
  isConjunction,
  many,
  merged,
  mergedMembers,
  visibleConjuncts,
  withoutMany,
  type AndOrTest,
} from './conjunction';
import { type Fragment, all, any, bind, comma, comparison, join, queryTime, sql, subQuery } from './fragment';
import { anyLeafNodes, type Leaf } from './leaf';
import type { ChosenColumn, Needs } from './needs';
import { factSql, holds, comparedLeaf } from './tree';

interface TestContext {
  readonly plan: Plan;
  readonly needs: Needs;
  readonly rowsOf: (query: Plan, columns: readonly ChosenColumn[]) => Fragment;
  /**
   * Whether a condition on the leaves is added to a condition on a fact's name and value, so that PostgreSQL finds the
   * nodes faster. With many alternatives, the additional condition costs more time than it saves.
   */
  readonly narrows: boolean;
  readonly odd?: boolean;
  /** The conjunction to which the test belongs after PostgreSQL has merged nested conjunctions. */
  readonly conjunction?: Conjunction | undefined;
}

interface Conjunction {
  left: number;
}

/** `negated` means that the test is nested in a `not`, where unknown and false have different effects. */
export function testSql(test: Test, context: TestContext, negated = false): Fragment {
  switch (test.kind) {
    case 'and':
    case 'or':
      return junctionSql(test, context, negated);
    case 'not':
      return sql`NOT (${testSql(test.member, { ...context, odd: context.odd !== true }, true)})`;
    default:
      return comparison(comparisonSql(test, context, negated));
  }
}

/**
 * If a conjunction is too large for PostgreSQL's planner, wraps members in `coalesce(…)`, which the planner does not
 * analyze. `coalesce` converts unknown to the value that excludes the row: false, or true under an odd number of `not`.
 */
function junctionSql(test: AndOrTest, context: TestContext, negated: boolean): Fragment {
  const { kind, members } = test;
  const odd = context.odd === true;
  const write = kind === 'and' ? andSql : orSql;
  if (!isConjunction(kind, odd)) return write(members, { ...context, conjunction: undefined }, negated);
  const conjunction = context.conjunction ?? {
    left: conjuncts(test, odd) > visibleConjuncts.most ? visibleConjuncts.shown : Infinity,
  };
  const parts: Fragment[] = [];
  const shown: Test[] = [];
  const hidden: Test[] = [];
  for (const member of mergedMembers(test)) {
    const count = conjuncts(member, odd);
    if (count <= conjunction.left) {
      conjunction.left -= count;
      shown.push(member);
    } else if (member.kind === kind && conjunction.left > 0) {
      parts.push(junctionSql(member, { ...context, conjunction }, negated));
    } else {
      if (hidden.length === 0) conjunction.left--;
      hidden.push(member);
    }
  }
  const counted = { ...context, conjunction: { left: Infinity } };
  if (parts.length + hidden.length === 0) return write(members, counted, negated);
  if (shown.length > 0) parts.unshift(write(shown, counted, negated));
  if (hidden.length > 0) parts.push(sql`coalesce(${write(hidden, counted, negated)}, ${odd ? sql`true` : sql`false`})`);
  return kind === 'and' ? all(parts) : any(parts);
}

function andSql(members: readonly Test[], context: TestContext, negated: boolean): Fragment {
  return all([
    ...(context.narrows ? narrowedFact(members) : []),
    ...withoutMany(members).map((member) => testSql(member, context, negated)),
  ]);
}

function orSql(members: readonly Test[], context: TestContext, negated: boolean): Fragment {
  const { facts, rest } = manyFacts(merged(members));
  const inner = members.length < many ? context : { ...context, narrows: false };
  return any([
    ...[...facts].map(([node, leaves]) => comparison(subQuery(sql`${node} IN (${anyLeafNodes(leaves)})`))),
    ...rest.map((member) => testSql(member, inner, negated)),
  ]);
}

function manyFacts(members: readonly Test[]): { facts: ReadonlyMap<Fragment, readonly Leaf[]>; rest: readonly Test[] } {
  const facts = new Map<Fragment, Leaf[]>();
  const rest: Test[] = [];
  for (const member of members) {
    const leaf = member.kind === 'fact' ? comparedLeaf(member) : undefined;
    if (member.kind !== 'fact' || !leaf) rest.push(member);
    else if (facts.has(member.node)) facts.get(member.node)!.push(leaf);
    else facts.set(member.node, [leaf]);
  }
  const count = members.length - rest.length;
  return count < many ? { facts: new Map(), rest: members } : { facts, rest };
}

type SingleTest = Exclude<Test, { kind: 'and' | 'or' | 'not' }>;

function comparisonSql(test: SingleTest, context: TestContext, negated: boolean): Fragment {
  const { plan, needs } = context;
  switch (test.kind) {
    case 'constant':
      return holds(test.holds);
    case 'expression':
      needs.add(test.needs);
      return test.sql;
    case 'equals':
      return comparisonSql(test.field.oneOf(test.literals), context, negated);
    case 'fact':
      return factSql(test, negated);
    case 'node-state':
      return nodeStateSql(test.state, plan, needs);
    case 'within':
      return withinSql(test.local, test.query, context);
  }
}

function narrowedFact(members: readonly Test[]): Fragment[] {
  let name: Literal | undefined;
  let fact: { readonly kind: FactValue; readonly value: Literal } | undefined;
  for (const member of members) {
    if (member.kind !== 'equals' || member.literals.length !== 1) continue;
    const { field, literals } = member;
    if (field instanceof FactValue) fact ??= { kind: field, value: literals[0]! };
    else if (field.key?.domain === 'fact') name ??= literals[0];
  }
  return fact && name !== undefined ? [fact.kind.narrowed(name, fact.value)] : [];
}

function nodeStateSql(state: 'active' | 'inactive' | 'any', plan: Plan, needs: Needs): Fragment {
  if (state === 'any') return holds(true);
  needs.add([plan.entity.nodeJoin ?? '']);
  if (state === 'active') return sql`n.deactivated IS NULL AND n.expired IS NULL`;
  if (plan.inactiveForSeconds === undefined) return sql`n.deactivated IS NOT NULL OR n.expired IS NOT NULL`;
  const since = sql`${queryTime} - make_interval(secs => ${bind(String(plan.inactiveForSeconds), 'numeric')}::double precision)`;
  return sql`coalesce(n.deactivated > ${since}, false) OR coalesce(n.expired > ${since}, false)`;
}

/** If a field and the column of the sub-query have keys of the same domain, compares the keys instead of the values. */
function withinSql(local: readonly FieldKind[], query: Plan, { needs, rowsOf }: TestContext): Fragment {
  const left: Fragment[] = [];
  const chosen: ChosenColumn[] = [];
  local.forEach((kind, index) => {
    const column = query.columns[index];
    if (!column) return;
    const other = column.kind === 'field' ? column.field.kind : undefined;
    if (kind.key && kind.key.domain === other?.key?.domain && !query.groups) {
      needs.add(kind.key.needs);
      left.push(kind.key.value);
      chosen.push({ column, as: 'key' });
      return;
    }
    needs.add(kind.needs);
    if (kind.type === other?.type) {
      left.push(kind.value);
      chosen.push({ column, as: 'value' });
    } else if (kind.type === 'jsonb' || other?.type === 'jsonb') {
      left.push(sql`to_jsonb(${kind.value})`);
      chosen.push({ column, as: 'jsonb' });
    } else {
      left.push(sql`(${kind.value})::text`);
      chosen.push({ column, as: 'text' });
    }
  });
  return subQuery(sql`(${join(left, comma)}) IN (${rowsOf(query, chosen)})`);
}
