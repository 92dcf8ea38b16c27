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

export const memberAt = (value: Fragment, steps: readonly Step[]): Fragment =>
  steps.length === 0 ? value : sql`(${value} #> ${bind(steps.map(stepText), 'text[]')})`;

const textAt = (value: Fragment, steps: readonly Step[]): Fragment =>
  sql`(${value} #>> ${bind(steps.map(stepText), 'text[]')})`;

/** The SQL is null if the path does not exist. */
export function factAt(node: Fragment, steps: readonly Step[]): Fragment {
  const [first, ...rest] = steps;
  if (!first) return never;
  return valueQuery(
    sql`(SELECT ${memberAt(sql`x.value`, rest)} FROM ${table('facts')} x WHERE x.node = ${node} AND x.fact = ${factKey(first)})`,
  );
}

const factKey = (step: Step): Fragment => bind(key64(stepText(step)), 'bigint');

// If a step can be an index of an array, PuppetDB compares values instead of using containment, so a missing value
// makes the condition unknown instead of false.
const isIndexed = (steps: readonly Step[]): boolean =>
  steps.some((step) => step.kind === 'index' || (step.kind === 'key' && /^\d+$/.test(step.key)));

type FactTest = Extract<FieldTest, { kind: 'fact' }>;

/** `negated` means that the condition is nested in a `not`, where unknown and false have different effects. */
export function factSql({ node, steps, test, dotted }: FactTest, negated: boolean): Fragment {
  const unknown = ['orders', 'version', 'is-null'].includes(test.kind) || (test.kind === 'equals' && isIndexed(steps));
  const [first, ...rest] = steps;
  if (!first || !dotted || !negated || !unknown || steps.some((step) => step.kind === 'match'))
    return subQuery(sql`${node} IN (${factNodes(steps, test)})`);
  return valueQuery(sql`(SELECT ${valueTest(sql`x.value`, rest, test)} FROM ${table('facts')} x
    WHERE x.node = ${node} AND x.fact = ${factKey(first)})`);
}

export const allFacts = (node: Fragment): Fragment =>
  valueQuery(sql`(SELECT jsonb_object_agg(x.name, x.value) FROM ${table('facts')} x WHERE x.node = ${node})`);

export const comparedLeaf = ({ steps, test, dotted }: FactTest): Leaf | undefined =>
  dotted && isIndexed(steps) ? undefined : leafOf(steps, test);

function factNodes(steps: readonly Step[], test: MemberTest): Fragment {
  if (steps.some((step) => step.kind === 'match')) return matchedNodes(steps, test);
  const [first, ...rest] = steps;
  if (!first) return sql`SELECT x.node FROM ${table('facts')} x WHERE false`;
  const leaf = leafOf(steps, test);
  if (leaf) return leafNodes(leaf, stringifyAst(leaf.value));
  return sql`SELECT x.node FROM ${table('facts')} x WHERE x.fact = ${factKey(first)} AND ${valueTest(sql`x.value`, rest, test)}`;
}

/** A step of digits can be a key or an index, so each such step doubles the number of paths to search. */
const mostDigitSteps = 3;
const digitKey = /^(0|[1-9]\d{0,8})$/;
const isDigitStep = (step: Step, index: number): boolean => step.kind === 'key' && index > 0 && digitKey.test(step.key);

function leafOf(steps: readonly Step[], test: MemberTest): Leaf | undefined {
  if (test.kind !== 'equals' || isList(test.value) || isMap(test.value)) return undefined;
  const keys = leafKeys(steps);
  return keys && { fact: keys.fact, paths: keys.paths, value: test.value };
}

export type LeafKeys = Omit<Leaf, 'value'>;

/** All values of an `in` list share their steps, so the keys are cached by steps. */
const leafKeysOf = new WeakMap<readonly Step[], LeafKeys>();

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

function matchedNodes(steps: readonly Step[], test: MemberTest): Fragment {
  const elements = steps.map((step, index) => {
    const text = stepText(step);
    const pattern = index === steps.length - 1 ? `^(?:${text})` : `^(?:${text})$`;
    return sql`(p.elements ->> ${bind(index, 'numeric')}::int) ~ ${regularExpression(pattern)}`;
  });
  // For `~`, PuppetDB follows only maps, so a path through an array matches nothing.
  const mapsOnly =
    test.kind === 'matches' ? sql` AND NOT jsonb_path_exists(p.elements, '$[*] ? (@.type() == "number")')` : sql``;
  return sql`SELECT c.node FROM ${table('fact_contents')} c WHERE c.path IN (SELECT p.path FROM ${table('fact_paths')} p
    WHERE p.depth = ${bind(steps.length - 1, 'numeric')} AND ${all(elements)}${mapsOnly}) AND ${valueTest(sql`c.value`, [], test)}`;
}

function valueTest(value: Fragment, steps: readonly Step[], test: MemberTest): Fragment {
  switch (test.kind) {
    case 'is-null': {
      // As in PuppetDB, a null test accepts an index only at the end of a name.
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

/** Equality uses containment, so it is false instead of unknown if the value is missing. */
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

/** The recursive query visits all members down to the depth of the path. */
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
