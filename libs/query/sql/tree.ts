import type { Step } from '../ast/dotted-name';
import { type AstJson, isList, isMap, NumberText, stringifyAst } from '../ast/json';
import type { Ordering } from '../ast/ast';
import type { Tree } from '../entities/entity';
import type { TreeTest } from '../plan/plan';
import { type Fragment, all, always, bind, never, sql, subQuery, table, valueQuery } from './fragment';
import { key64, pathKey } from './keys';
import { type Leaf, leafNodes } from './leaf';
import { regularExpression } from './pattern';

const operators: Record<Ordering, Fragment> = {
  '<': sql`<`,
  '>': sql`>`,
  '<=': sql`<=`,
  '>=': sql`>=`,
};

export const operatorSql = (operator: Ordering): Fragment => operators[operator];

/** Steps of a tree with what it lies under put first; the first one is the name of a fact. */
const withPrefix = (tree: Tree, steps: readonly Step[]): readonly Step[] =>
  tree.kind === 'facts' ? [...tree.under.map((key): Step => ({ kind: 'key', key })), ...steps] : steps;

const stepText = (step: Step): string =>
  step.kind === 'key' ? step.key : step.kind === 'index' ? String(step.index) : step.pattern;

const at = (value: Fragment, steps: readonly Step[]): Fragment =>
  steps.length === 0 ? value : sql`(${value} #> ${bind(steps.map(stepText), 'text[]')})`;

const textAt = (value: Fragment, steps: readonly Step[]): Fragment =>
  sql`(${value} #>> ${bind(steps.map(stepText), 'text[]')})`;

/** The value at a place of a tree; nothing where there is none. */
export function treeValue(tree: Tree, steps: readonly Step[]): Fragment {
  if (tree.kind === 'document') return at(tree.document, steps);
  const [first, ...rest] = withPrefix(tree, steps);
  if (!first) return never;
  const fact = bind(key64(stepText(first)), 'bigint');
  return valueQuery(
    sql`(SELECT ${at(sql`x.value`, rest)} FROM ${table('facts')} x WHERE x.node = ${tree.node} AND x.fact = ${fact})`,
  );
}

// Such a name may mean an element of an array; the reference then asks for the value and not for containment, so a
// missing one is unknown and not "no".
const isIndexed = (steps: readonly Step[]): boolean =>
  steps.some((step) => step.kind === 'index' || (step.kind === 'key' && /^\d+$/.test(step.key)));

/**
 * A condition on a member of a tree. `negated`: it stands under a `not`, where unknown and false differ.
 */
export function treeSql(tree: Tree, steps: readonly Step[], test: TreeTest, negated: boolean): Fragment {
  if (tree.kind === 'document') return documentSql(tree.document, steps, test);
  const all = withPrefix(tree, steps);
  if (all.length === 0) return documentSql(treeDocument(tree.node), [], test);
  const unknown = test.kind === 'orders' || test.kind === 'is-null' || (test.kind === 'equals' && isIndexed(all));
  if (!negated || !unknown || all.some((step) => step.kind === 'match'))
    return subQuery(sql`${tree.node} IN (${factNodes(all, test)})`);
  const [first, ...rest] = all;
  const fact = bind(key64(first ? stepText(first) : ''), 'bigint');
  return valueQuery(sql`(SELECT ${valueTest(sql`x.value`, rest, test)} FROM ${table('facts')} x
    WHERE x.node = ${tree.node} AND x.fact = ${fact})`);
}

const treeDocument = (node: Fragment): Fragment =>
  valueQuery(sql`(SELECT jsonb_object_agg(x.name, x.value) FROM ${table('facts')} x WHERE x.node = ${node})`);

/** The leaf that a condition on the facts of a node asks for, whatever it stands under; undefined for any other. */
export function leafOfTree(tree: Tree, steps: readonly Step[], test: TreeTest): Leaf | undefined {
  if (tree.kind === 'document') return undefined;
  const all = withPrefix(tree, steps);
  return isIndexed(all) ? undefined : leafOf({ steps: all, test });
}

/** The nodes that have a fact for which the test holds: a query of one column. */
export function factNodes(steps: readonly Step[], test: TreeTest): Fragment {
  if (steps.some((step) => step.kind === 'match')) return matchedNodes(steps, test);
  const [first, ...rest] = steps;
  if (!first) return sql`SELECT x.node FROM ${table('facts')} x WHERE false`;
  const leaf = leafOf({ steps, test });
  if (leaf)
    return leafNodes(
      leaf.paths.map((path) => bind(path, 'bigint')),
      leaf.value,
    );
  const fact = bind(key64(stepText(first)), 'bigint');
  return sql`SELECT x.node FROM ${table('facts')} x WHERE x.fact = ${fact} AND ${valueTest(sql`x.value`, rest, test)}`;
}

/** A digit key may be an index: both paths are asked for. With more such keys than this there would be too many. */
const mostDigitSteps = 3;
const digitKey = /^(0|[1-9]\d{0,8})$/;
const isDigitStep = (step: Step, index: number): boolean => step.kind === 'key' && index > 0 && digitKey.test(step.key);

/** Equality with a scalar, as the leaves of facts hold it; undefined where it has to be asked of whole facts. */
export function leafOf({
  steps,
  test,
}: {
  readonly steps: readonly Step[];
  readonly test: TreeTest;
}): Leaf | undefined {
  if (test.kind !== 'equals' || isList(test.value) || isMap(test.value)) return undefined;
  if (steps.length === 0 || steps.some((step) => step.kind === 'match')) return undefined;
  if (steps.filter(isDigitStep).length > mostDigitSteps) return undefined;
  return { paths: pathsOf(steps).map(pathKey), value: test.value };
}

function pathsOf(steps: readonly Step[]): (string | number)[][] {
  let paths: (string | number)[][] = [[]];
  steps.forEach((step, index) => {
    const choices: (string | number)[] =
      step.kind === 'index'
        ? [step.index]
        : step.kind === 'key' && isDigitStep(step, index)
          ? [step.key, Number(step.key)]
          : [stepText(step)];
    paths = paths.flatMap((path) => choices.map((choice) => [...path, choice]));
  });
  return paths;
}

/** Names with `match("...")`: paths of leaves are searched by regular expressions, element by element. */
function matchedNodes(steps: readonly Step[], test: TreeTest): Fragment {
  const elements = steps.map((step, index) => {
    const text = stepText(step);
    const pattern = index === steps.length - 1 ? `^(?:${text})` : `^(?:${text})$`;
    return sql`(p.elements ->> ${bind(index, 'numeric')}::int) ~ ${regularExpression(pattern)}`;
  });
  // With ~ the reference walks maps only, so a path through an array finds nothing.
  const mapsOnly =
    test.kind === 'matches' ? sql` AND NOT jsonb_path_exists(p.elements, '$[*] ? (@.type() == "number")')` : sql``;
  return sql`SELECT c.node FROM ${table('fact_contents')} c WHERE c.path IN (SELECT p.path FROM ${table('fact_paths')} p
    WHERE p.depth = ${bind(steps.length - 1, 'numeric')} AND ${all(elements)}${mapsOnly}) AND ${valueTest(sql`c.value`, [], test)}`;
}

/** A test on the value at a place below a jsonb value. */
function valueTest(value: Fragment, steps: readonly Step[], test: TreeTest): Fragment {
  switch (test.kind) {
    case 'is-null': {
      // Null tests know an index only at the end of a name.
      if (steps.slice(0, -1).some((step) => step.kind === 'index')) return never;
      const found = sql`jsonb_typeof(${at(value, steps)})`;
      return test.expected ? sql`${found} = 'null'` : sql`${found} <> 'null'`;
    }
    case 'matches':
      return sql`${textAt(value, steps)} ~ ${regularExpression(test.pattern)}`;
    case 'orders':
      return sql`${at(value, steps)} ${operatorSql(test.operator)} ${bind(stringifyAst(test.value), 'jsonb')}`;
    case 'equals': {
      const wanted = bind(stringifyAst(test.value), 'jsonb');
      const found = at(value, steps);
      return isList(test.value) || isMap(test.value) ? sql`${found} @> ${wanted}` : sql`${found} = ${wanted}`;
    }
  }
}

/** The same on one document. Containment decides equality: false, not unknown, where the place is missing. */
function documentSql(document: Fragment, steps: readonly Step[], test: TreeTest): Fragment {
  if (steps.some((step) => step.kind === 'match')) return matchedDocument(document, steps, test);
  if (test.kind === 'equals' && !isIndexed(steps))
    return sql`${document} @> ${bind(stringifyAst(nested(steps, test.value)), 'jsonb')}`;
  if (test.kind === 'matches') return sql`coalesce(${valueTest(document, steps, test)}, false)`;
  return valueTest(document, steps, test);
}

function nested(steps: readonly Step[], value: AstJson): AstJson {
  return steps.reduceRight<AstJson>((inner, step) => new Map([[stepText(step), inner]]), value);
}

/** One level after the other: each step keeps the members whose key fits. */
function matchedDocument(document: Fragment, steps: readonly Step[], test: TreeTest): Fragment {
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

/** `["parameter", name]`: equality is of JSON texts; with `~` the name is an expression too and the value JSON text. */
export function parameterSql(document: Fragment, name: string, test: TreeTest): Fragment {
  const member = sql`(${document} -> ${bind(name, 'text')})`;
  switch (test.kind) {
    case 'equals':
      return sql`coalesce(${member}::text = ${bind(stringifyAst(test.value), 'jsonb')}::text, false)`;
    case 'is-null':
      return sql`coalesce(jsonb_typeof(${member}), 'null') ${test.expected ? sql`=` : sql`<>`} 'null'`;
    case 'orders':
      return test.value instanceof NumberText
        ? sql`coalesce(jsonb_typeof(${member}) = 'number' AND ${member} ${operatorSql(test.operator)} ${bind(test.value.text, 'jsonb')}, false)`
        : sql`coalesce(${member} ${operatorSql(test.operator)} ${bind(stringifyAst(test.value), 'jsonb')}, false)`;
    case 'matches':
      return subQuery(sql`EXISTS (SELECT FROM jsonb_each(${document}) m WHERE m.key ~ ${regularExpression(name)}
        AND m.value::text ~ ${regularExpression(JSON.stringify(test.pattern))})`);
  }
}

export const holds = (value: boolean): Fragment => (value ? always : never);
