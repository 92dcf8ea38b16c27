import type { Step } from '../ast/dotted-name';
import { type AstJson, isList, isMap, stringifyAst } from '../ast/json';
import type { FieldTest, MemberTest } from '../kinds/field-test';
import { type Fragment, all, always, bind, never, sql, subQuery, table, valueQuery } from './fragment';
import { key64, pathKey } from './keys';
import { type Leaf, leafNodes } from './leaf';
import { orderingSql } from './ordering';
import { matchSql, regularExpression } from './pattern';
import { jsonVersionSql } from './version';

const stepText = (step: Step): string =>
  step.kind === 'key' ? step.key : step.kind === 'index' ? String(step.index) : step.pattern;

/** Returns the value at a path below a jsonb value. */
export const memberAt = (value: Fragment, steps: readonly Step[]): Fragment =>
  steps.length === 0 ? value : sql`(${value} #> ${bind(steps.map(stepText), 'text[]')})`;

const textAt = (value: Fragment, steps: readonly Step[]): Fragment =>
  sql`(${value} #>> ${bind(steps.map(stepText), 'text[]')})`;

/** Returns the value at a path in the facts of a node, or null if there is none. */
export function factAt(node: Fragment, steps: readonly Step[]): Fragment {
  const [first, ...rest] = steps;
  if (!first) return never;
  return valueQuery(
    sql`(SELECT ${memberAt(sql`x.value`, rest)} FROM ${table('facts')} x WHERE x.node = ${node} AND x.fact = ${factKey(first)})`,
  );
}

const factKey = (step: Step): Fragment => bind(key64(stepText(step)), 'bigint');

// Such a name may mean an element of an array. PuppetDB then compares the value, not containment, so a missing value is
// unknown and not false.
const isIndexed = (steps: readonly Step[]): boolean =>
  steps.some((step) => step.kind === 'index' || (step.kind === 'key' && /^\d+$/.test(step.key)));

type FactTest = Extract<FieldTest, { kind: 'fact' }>;

/** Returns a condition on a fact of a node. `negated`: it is nested in a `not`, where unknown and false differ. */
export function factSql({ node, steps, test, dotted }: FactTest, negated: boolean): Fragment {
  const unknown = ['orders', 'version', 'is-null'].includes(test.kind) || (test.kind === 'equals' && isIndexed(steps));
  const [first, ...rest] = steps;
  if (!first || !dotted || !negated || !unknown || steps.some((step) => step.kind === 'match'))
    return subQuery(sql`${node} IN (${factNodes(steps, test)})`);
  return valueQuery(sql`(SELECT ${valueTest(sql`x.value`, rest, test)} FROM ${table('facts')} x
    WHERE x.node = ${node} AND x.fact = ${factKey(first)})`);
}

/** Returns the facts of a node as one map. */
export const allFacts = (node: Fragment): Fragment =>
  valueQuery(sql`(SELECT jsonb_object_agg(x.name, x.value) FROM ${table('facts')} x WHERE x.node = ${node})`);

/** Returns the leaf that a condition on a fact compares, or undefined for other conditions. */
export const leafAsked = ({ steps, test, dotted }: FactTest): Leaf | undefined =>
  dotted && isIndexed(steps) ? undefined : leafOf(steps, test);

/** Selects the nodes with a fact for which the test is true. */
function factNodes(steps: readonly Step[], test: MemberTest): Fragment {
  if (steps.some((step) => step.kind === 'match')) return matchedNodes(steps, test);
  const [first, ...rest] = steps;
  if (!first) return sql`SELECT x.node FROM ${table('facts')} x WHERE false`;
  const leaf = leafOf(steps, test);
  if (leaf) return leafNodes(leaf, stringifyAst(leaf.value));
  return sql`SELECT x.node FROM ${table('facts')} x WHERE x.fact = ${factKey(first)} AND ${valueTest(sql`x.value`, rest, test)}`;
}

/**
 * A key of digits may be an index, so both paths are searched. With more such keys than this, there would be too many
 * paths.
 */
const mostDigitSteps = 3;
const digitKey = /^(0|[1-9]\d{0,8})$/;
const isDigitStep = (step: Step, index: number): boolean => step.kind === 'key' && index > 0 && digitKey.test(step.key);

/** Returns the leaf for an equality with a scalar, or undefined if whole facts must be compared. */
function leafOf(steps: readonly Step[], test: MemberTest): Leaf | undefined {
  if (test.kind !== 'equals' || isList(test.value) || isMap(test.value)) return undefined;
  const keys = leafKeys(steps);
  return keys && { fact: keys.fact, paths: keys.paths, value: test.value };
}

export type LeafKeys = Omit<Leaf, 'value'>;

/** All values of an `in` list share their steps, so their keys are computed once. */
const leafKeysOf = new WeakMap<readonly Step[], LeafKeys>();

/** Returns the keys of the leaves at these steps; undefined if they cannot be looked up by key. */
export function leafKeys(steps: readonly Step[]): LeafKeys | undefined {
  const known = leafKeysOf.get(steps);
  if (known) return known;
  const [first] = steps;
  if (!first || steps.some((step) => step.kind === 'match')) return undefined;
  if (steps.filter(isDigitStep).length > mostDigitSteps) return undefined;
  const keys = { fact: key64(stepText(first)), paths: pathsOf(steps).map(pathKey) };
  leafKeysOf.set(steps, keys);
  return keys;
}

function pathsOf(steps: readonly Step[]): (string | number)[][] {
  let paths: (string | number)[][] = [[]];
  steps.forEach((step, index) => {
    const isChoice = step.kind === 'key' && isDigitStep(step, index);
    const copies = isChoice ? paths.map((path) => [...path, Number(step.key)]) : [];
    for (const path of paths) path.push(step.kind === 'index' ? step.index : isChoice ? step.key : stepText(step));
    paths = [...paths, ...copies];
  });
  return paths;
}

/**
 * Returns the query for the nodes that have a matching leaf, for paths with a `match("...")` step. It compares each
 * element of a stored leaf path with the regular expression of its step.
 */
function matchedNodes(steps: readonly Step[], test: MemberTest): Fragment {
  const elements = steps.map((step, index) => {
    const text = stepText(step);
    const pattern = index === steps.length - 1 ? `^(?:${text})` : `^(?:${text})$`;
    return sql`(p.elements ->> ${bind(index, 'numeric')}::int) ~ ${regularExpression(pattern)}`;
  });
  // With ~, PuppetDB follows only maps, so a path through an array finds nothing.
  const mapsOnly =
    test.kind === 'matches' ? sql` AND NOT jsonb_path_exists(p.elements, '$[*] ? (@.type() == "number")')` : sql``;
  return sql`SELECT c.node FROM ${table('fact_contents')} c WHERE c.path IN (SELECT p.path FROM ${table('fact_paths')} p
    WHERE p.depth = ${bind(steps.length - 1, 'numeric')} AND ${all(elements)}${mapsOnly}) AND ${valueTest(sql`c.value`, [], test)}`;
}

/** Returns a test on the value at a path below a jsonb value. */
function valueTest(value: Fragment, steps: readonly Step[], test: MemberTest): Fragment {
  switch (test.kind) {
    case 'is-null': {
      // Null tests accept an index only at the end of a name.
      if (steps.slice(0, -1).some((step) => step.kind === 'index')) return never;
      const found = sql`jsonb_typeof(${memberAt(value, steps)})`;
      return test.expected ? sql`${found} = 'null'` : sql`${found} <> 'null'`;
    }
    case 'matches':
      return matchSql(textAt(value, steps), test.pattern);
    case 'orders':
      return sql`${memberAt(value, steps)} ${orderingSql(test.operator)} ${bind(stringifyAst(test.value), 'jsonb')}`;
    case 'version':
      return jsonVersionSql(memberAt(value, steps), textAt(value, steps), test.test);
    case 'equals': {
      const wanted = bind(stringifyAst(test.value), 'jsonb');
      const found = memberAt(value, steps);
      return isList(test.value) || isMap(test.value) ? sql`${found} @> ${wanted}` : sql`${found} = ${wanted}`;
    }
  }
}

/** Tests one document. Equality uses containment, so it is false, not unknown, if the value is missing. */
export function documentSql(document: Fragment, steps: readonly Step[], test: MemberTest): Fragment {
  if (steps.some((step) => step.kind === 'match')) return matchedDocument(document, steps, test);
  if (test.kind === 'equals' && !isIndexed(steps))
    return sql`${document} @> ${bind(stringifyAst(nested(steps, test.value)), 'jsonb')}`;
  if (test.kind === 'matches') return sql`coalesce(${valueTest(document, steps, test)}, false)`;
  return valueTest(document, steps, test);
}

function nested(steps: readonly Step[], value: AstJson): AstJson {
  return steps.reduceRight<AstJson>((inner, step) => new Map([[stepText(step), inner]]), value);
}

/** Each step keeps the members whose keys match. */
function matchedDocument(document: Fragment, steps: readonly Step[], test: MemberTest): Fragment {
  const levels = steps.map((step, index) => {
    const text = stepText(step);
    const pattern = index === steps.length - 1 ? `^(?:${text})` : `^(?:${text})$`;
    return sql`(m.path ->> ${bind(index, 'numeric')}::int) ~ ${regularExpression(pattern)}`;
  });
  return subQuery(sql`EXISTS (WITH RECURSIVE m (path, value) AS (
      SELECT jsonb_build_array(e.key), e.value FROM jsonb_each(${document}) e
      UNION ALL
      SELECT m.path || jsonb_build_array(e.key), e.value FROM m
        CROSS JOIN LATERAL jsonb_each(CASE WHEN jsonb_typeof(m.value) = 'object' THEN m.value ELSE '{}' END) e
        WHERE jsonb_array_length(m.path) < ${bind(steps.length, 'numeric')}
    ) SELECT FROM m WHERE jsonb_array_length(m.path) = ${bind(steps.length, 'numeric')} AND ${all(levels)}
      AND ${valueTest(sql`m.value`, [], test)})`);
}

export const holds = (value: boolean): Fragment => (value ? always : never);
