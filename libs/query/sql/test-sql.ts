import type { PlannedField, Literal, Plan, Test } from '../plan/plan';
import {
  conjuncts,
  isConjunction,
  many,
  merged,
  mergedMembers,
  visibleConjuncts,
  withoutMany,
  type Junction,
} from './conjunction';
import { type Fragment, all, any, bind, comma, comparison, join, never, sql, subQuery, table } from './fragment';
import { key64, pathKey, reportKey } from './keys';
import { anyLeafNodes, type Leaf, leafEquals } from './leaf';
import type { ChosenColumn, Needs } from './needs';
import { factNodes, holds, leafOf, leafOfTree, operatorSql, parameterSql, treeSql } from './tree';
import { comparableValue } from './output';
import { regularExpression } from './pattern';

export interface TestContext {
  readonly plan: Plan;
  /** Collects the joins that the test uses. */
  readonly needs: Needs;
  /** The rows of a query inside the condition, as SQL. */
  readonly rowsOf: (query: Plan, columns: readonly ChosenColumn[]) => Fragment;
  /** Whether a condition on a fact's name and value is narrowed by a query of the leaves first. Not worth it for many alternatives. */
  readonly narrows: boolean;
  /** The test is nested in an odd number of `not`. */
  readonly odd?: boolean;
  /** The conjunction of PostgreSQL's that the test becomes a member of. */
  readonly conjunction?: Conjunction | undefined;
}

interface Conjunction {
  /** How many more members the planner may see. */
  left: number;
}

/** Turns a plan's test into SQL. `negated`: it is nested in a `not`, where unknown and false differ. */
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
 * Writes an `and` or an `or`. Members that would make a conjunction too large for PostgreSQL's planner are wrapped in
 * `coalesce(…)`, which the planner does not look into. `coalesce` turns unknown into what leaves the row out: false, or true
 * under an odd number of `not`.
 */
function junctionSql(test: Junction, context: TestContext, negated: boolean): Fragment {
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
    ...(context.narrows ? leafOfFact(members) : []),
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

/** Separates equalities of facts from other tests if there are many: together they become one query. */
function manyFacts(members: readonly Test[]): { facts: ReadonlyMap<Fragment, readonly Leaf[]>; rest: readonly Test[] } {
  const facts = new Map<Fragment, Leaf[]>();
  const rest: Test[] = [];
  for (const member of members) {
    const found = leafAsked(member);
    if (!found) rest.push(member);
    else if (facts.has(found.node)) facts.get(found.node)!.push(found.leaf);
    else facts.set(found.node, [found.leaf]);
  }
  const count = members.length - rest.length;
  return count < many ? { facts: new Map(), rest: members } : { facts, rest };
}

function leafAsked(test: Test): { node: Fragment; leaf: Leaf } | undefined {
  if (test.kind === 'fact') {
    const leaf = leafOf(test);
    return leaf && { node: test.node, leaf };
  }
  if (test.kind !== 'tree' || test.tree.kind !== 'facts') return undefined;
  const leaf = leafOfTree(test.tree, test.steps, test.test);
  return leaf && { node: test.tree.node, leaf };
}

type SingleTest = Exclude<Test, { kind: 'and' | 'or' | 'not' }>;

function comparisonSql(test: SingleTest, context: TestContext, negated: boolean): Fragment {
  const { plan, needs } = context;
  switch (test.kind) {
    case 'constant':
      return holds(test.holds);
    case 'is-null':
      needs.add(test.field);
      // JSON null is a fact's way of having no value.
      if (test.field.type === 'value')
        return sql`coalesce(${test.field.value}, 'null') ${test.expected ? sql`=` : sql`<>`} 'null'`;
      return test.expected ? sql`${test.field.value} IS NULL` : sql`${test.field.value} IS NOT NULL`;
    case 'equals':
      return equalsSql(test.field, test.values, needs);
    case 'orders':
      return ordersSql(test, needs);
    case 'matches':
      return matchesSql(test.field, test.pattern, needs);
    case 'path-equals':
      return test.paths.length === 0
        ? never
        : sql`${test.field.field.pathKey ?? never} = ANY (${bind(test.paths.map(pathKey), 'bigint[]')})`;
    case 'path-matches':
      return pathMatchesSql(test.patterns, test.field, needs);
    case 'tree':
      if (test.tree.kind === 'document') needs.addNames(test.tree.needs);
      return treeSql(test.tree, test.steps, test.test, negated);
    case 'fact':
      return subQuery(sql`${test.node} IN (${factNodes(test.steps, test.test)})`);
    case 'parameter':
      needs.addNames(test.needs);
      return parameterSql(test.document, test.name, test.test);
    case 'node-state':
      return nodeStateSql(test.state, plan, needs);
    case 'within':
      return withinSql(test.local, test.query, context);
  }
}

function equalsSql(field: PlannedField, values: readonly Literal[], needs: Needs): Fragment {
  const [first] = values;
  if (!first) return never;
  if (field.type === 'texts') {
    needs.add(field);
    return sql`${field.value} && ${bind(
      values.map((one) => one.value),
      'text[]',
    )}`;
  }
  if (field.type === 'json-text') {
    needs.add(field);
    return any(values.map((one) => comparison(jsonTextEquals(field.value, one))));
  }
  const byKey = keyEquals(field, values, needs);
  if (byKey) return byKey;
  needs.add(field);
  if (field.field.isCondition === true && values.length === 1)
    return first.value === true ? field.value : sql`NOT ${field.value}`;
  if (field.field.isLeaf === true && values.length <= 20) return any(values.map(leafEquals));
  const plain = oneOf(field.value, values);
  const { prefix } = field.field;
  if (!prefix) return plain;
  const prefixes = values.map((one) => ({ ...one, value: [...String(one.value)].slice(0, 200).join('') }));
  const narrowed = field.field.narrowed?.((column) => oneOf(column, prefixes));
  return all([...(narrowed ? [narrowed] : []), oneOf(prefix, prefixes), plain]);
}

/**
 * A top-level fact with a name and a scalar value is also a leaf, and the leaves have an index on their values: the
 * nodes are found there first. Follows from the other two conditions, so it can stand under a `not`.
 */
function leafOfFact(members: readonly Test[]): Fragment[] {
  const single = members.flatMap((member) => (member.kind === 'equals' && member.values.length === 1 ? [member] : []));
  const name = single.find(({ field }) => field.key?.domain === 'fact' && field.field.name === 'name')?.values[0];
  const value = single.find(({ field }) => field.type === 'value' && field.field.nodeOfFact !== undefined);
  const wanted = value?.values[0];
  if (!name || !wanted || !value.field.field.nodeOfFact) return [];
  const path = bind(pathKey([String(name.value)]), 'bigint');
  return [
    subQuery(sql`${value.field.field.nodeOfFact} IN (SELECT c.node FROM ${table('fact_contents')} c
    WHERE c.path = ${path} AND ${leafEquals(wanted)})`),
  ];
}

const mostEstimated = 1_000;

function oneOf(value: Fragment, literals: readonly Literal[]): Fragment {
  const [first] = literals;
  if (!first) return never;
  if (literals.length === 1) return sql`${value} = ${bind(first.value, first.cast)}`;
  // PostgreSQL estimates how many rows each element finds, which takes long with jsonb.
  if (first.cast === 'jsonb' && literals.length > mostEstimated)
    return subQuery(
      sql`${value} IN (SELECT u.value FROM unnest(${bind(
        literals.map((one) => one.value),
        'jsonb[]',
      )}) u (value))`,
    );
  return sql`${value} = ANY (${bind(
    literals.map((one) => one.value),
    `${first.cast}[]`,
  )})`;
}

/** Equality of the text, asked of its key. */
function keyEquals(field: PlannedField, values: readonly Literal[], needs: Needs): Fragment | undefined {
  if (!field.key) return undefined;
  const { domain, value, needs: joins } = field.key;
  needs.addNames(joins ?? []);
  const texts = values.map((one) => String(one.value));
  if (domain === 'report') {
    const keys = texts.flatMap((text) => reportKey(text) ?? []);
    if (keys.length === 0) return sql`${value} IS NULL AND NULL`;
    // A key is the begin of a hash. An array, because no row in place of it would make the comparison unknown.
    return subQuery(sql`${value} = ANY (ARRAY(SELECT x.report FROM ${table('reports')} x
      WHERE x.report = ANY (${bind(keys, 'uuid[]')}) AND x.hash = ANY (${bind(texts, 'text[]')})))`);
  }
  const keys = texts.map(key64);
  return keys.length === 1
    ? sql`${value} = ${bind(keys[0], 'bigint')}`
    : sql`${value} = ANY (${bind(keys, 'bigint[]')})`;
}

/** Text for scalars; maps and arrays are compared as JSON, which does not mind blanks. */
function jsonTextEquals(value: Fragment, literal: Literal): Fragment {
  if (literal.cast === 'text') return sql`${value} = ${bind(literal.value, 'text')}`;
  return sql`CASE WHEN "left"(${value}, 1) IN ('[', '{') THEN (${value})::jsonb = ${bind(literal.value, 'jsonb')} ELSE false END`;
}

function ordersSql(test: Extract<Test, { kind: 'orders' }>, needs: Needs): Fragment {
  needs.add(test.field);
  const compared = sql`${test.field.value} ${operatorSql(test.operator)} ${bind(test.value.value, test.value.cast)}`;
  return test.field.type === 'value' ? sql`(jsonb_typeof(${test.field.value}) = 'number' AND ${compared})` : compared;
}

function matchesSql(field: PlannedField, pattern: string, needs: Needs): Fragment {
  needs.add(field);
  const wanted = regularExpression(pattern);
  if (field.type === 'texts')
    return subQuery(sql`EXISTS (SELECT FROM unnest(${field.value}) m (one) WHERE m.one ~ ${wanted})`);
  if (field.type === 'value') return sql`(${field.value} #>> '{}') ~ ${wanted}`;
  if (field.type === 'path') return sql`${field.field.sort ?? field.value} ~ ${wanted}`;
  // A row without the value does not match, and so matches under `not`.
  return sql`coalesce(${field.value} ~ ${wanted}, false)`;
}

/** Paths of as many elements, each fitting; a number fits only that index. */
function pathMatchesSql(patterns: readonly (string | number)[], field: PlannedField, needs: Needs): Fragment {
  if (patterns.length === 0) return never;
  const elements = patterns.map((pattern, index) =>
    typeof pattern === 'number'
      ? sql`(p.elements -> ${place(index)}) = ${bind(String(pattern), 'jsonb')}`
      : sql`(p.elements ->> ${place(index)}) ~ ${regularExpression(field.field.wholeElements === true ? `^(?:${pattern})$` : pattern)}`,
  );
  const shape = sql`p.depth = ${bind(patterns.length - 1, 'numeric')} AND ${all(elements)}`;
  // The paths are few and shared by all nodes: they are searched first, then their rows found by key.
  const key = field.field.pathKey;
  if (!key) {
    needs.add(field);
    return shape;
  }
  return subQuery(sql`${key} IN (SELECT p.path FROM ${table('fact_paths')} p WHERE ${shape})`);
}

const place = (index: number): Fragment => sql`${bind(index, 'numeric')}::int`;

function nodeStateSql(state: 'active' | 'inactive' | 'any', plan: Plan, needs: Needs): Fragment {
  if (state === 'any') return holds(true);
  needs.addNames([plan.entity.nodeJoin ?? '']);
  if (state === 'active') return sql`n.deactivated IS NULL AND n.expired IS NULL`;
  if (plan.inactiveForSeconds === undefined) return sql`n.deactivated IS NOT NULL OR n.expired IS NOT NULL`;
  const since = sql`now() - make_interval(secs => ${bind(String(plan.inactiveForSeconds), 'numeric')}::double precision)`;
  return sql`coalesce(n.deactivated > ${since}, false) OR coalesce(n.expired > ${since}, false)`;
}

/** Fields among the rows of another query; where both sides have the same key, the keys are compared. */
function withinSql(local: readonly PlannedField[], query: Plan, { needs, rowsOf }: TestContext): Fragment {
  const foreign = query.columns;
  const left: Fragment[] = [];
  const chosen: ChosenColumn[] = [];
  local.forEach((field, index) => {
    const column = foreign[index];
    if (!column) return;
    const other = column.kind === 'field' ? column.field : undefined;
    const sameKey = !query.groups && field.key !== undefined && other?.key?.domain === field.key.domain;
    if (sameKey && field.key) {
      needs.addNames(field.key.needs ?? []);
      left.push(field.key.value);
      chosen.push({ column, as: 'key' });
      return;
    }
    needs.add(field);
    const value = comparableValue(field);
    const otherType = other ? (other.member ? 'value' : other.type) : 'integer';
    const json = (type: string): boolean => type === 'value' || type === 'tree' || type === 'path';
    if (otherType === field.type && column.kind === 'field') {
      left.push(value);
      chosen.push({ column, as: 'value' });
    } else if (json(field.type) || json(otherType)) {
      left.push(sql`to_jsonb(${value})`);
      chosen.push({ column, as: 'jsonb' });
    } else {
      left.push(sql`(${value})::text`);
      chosen.push({ column, as: 'text' });
    }
  });
  return subQuery(sql`(${join(left, comma)}) IN (${rowsOf(query, chosen)})`);
}
