import { excerpt } from '#fault';
import type { Comparison, Condition, EntitySelection, FieldRef } from '../ast/ast';
import { readSteps } from '../ast/dotted-name';
import { type AstJson, displayAst, isList, NumberText } from '../ast/json';
import { enumerate, malformed } from '../ast/malformed';
import type { Fields } from './fields';
import { isScalar, jsonText, literal, memberLiteral, orderLiteral, plainText, shownText } from './literals';
import { operatorHint } from './operator-hint';
import type { Plan, PlannedField, Test, TreeTest } from './plan';
import { valueHint } from './value-hint';

/** Plans a selection of another entity; given by the caller, since selections and conditions contain each other. */
export type PlanSelection = (query: EntitySelection) => Plan;

const anyState: Test = { kind: 'node-state', state: 'any' };
const isAnyState = (test: Test): boolean => test.kind === 'node-state' && test.state === 'any';
const constant = (holds: boolean): Test => ({ kind: 'constant', holds });

/**
 * Takes a checked condition and the fields of the entity it is asked of; gives tests on resolved fields. Refuses unknown
 * fields, operators that a field does not have, and values that it cannot be compared with.
 */
export function planCondition(condition: Condition, fields: Fields, planSelection: PlanSelection): Test {
  const plan = (one: Condition): Test => planCondition(one, fields, planSelection);
  switch (condition.kind) {
    case 'and':
    case 'or': {
      // node_state any is a wish, not a condition: it lifts the default and takes no part in the logic around it.
      const members = condition.members.map(plan).filter((member) => !isAnyState(member));
      return members.length === 0 ? anyState : { kind: condition.kind, members };
    }
    case 'not': {
      const member = plan(condition.member);
      return isAnyState(member) ? member : { kind: 'not', member };
    }
    case 'compare':
      return planCompare(condition.operator, condition.field, condition.value, fields);
    case 'match':
      return planMatch(condition.field, condition.pattern, fields);
    case 'match-path':
      return planMatchPath(condition.field, condition.patterns, fields);
    case 'null':
      return planNull(condition.field, condition.expected, fields);
    case 'in-array':
      return planInArray(condition.fields, condition.values, fields);
    case 'in-query':
      return planInQuery(condition.fields, condition.query, fields, planSelection);
    case 'related':
      return planRelated(condition.query, fields, planSelection);
  }
}

function planCompare(operator: Comparison, ref: FieldRef, value: AstJson, fields: Fields): Test {
  if (isNodeState(ref)) return nodeState(operator, ref, value, fields);
  const keyed = planKeyed(ref, fields, (kind) => compareTest(operator, value, kind === 'fact'));
  if (keyed) return keyed;
  const field = fields.asked(nameOf(ref));
  if (field.member) return treeTest(field.member, compareTest(operator, value, false));
  if (operator !== '=') return planOrder(operator, field, value);
  refuseExpanded(operator, field);
  if (field.type === 'tree' && field.field.tree)
    return treeTest({ tree: field.field.tree, steps: [] }, equalsTest(value));
  if (field.type === 'path') return pathEquals(field, [value]);
  // Any value but false and nothing means true here.
  if (field.field.name === 'latest_report?')
    return { kind: 'equals', field, values: [literal(field, value !== false && value !== null && value !== 'false')] };
  if (value === null) {
    // A missing value of an event is kept as JSON null.
    if (field.type === 'json-text') return { kind: 'equals', field, values: [{ cast: 'text', value: 'null' }] };
    return { kind: 'is-null', field, expected: true };
  }
  if (field.type === 'value')
    return isScalar(value) ? { kind: 'equals', field, values: [literal(field, value)] } : constant(false);
  if (field.type === 'json-text')
    return { kind: 'equals', field, values: [{ cast: isScalar(value) ? 'text' : 'jsonb', value: jsonText(value) }] };
  if (field.type === 'texts')
    return { kind: 'equals', field, values: [{ cast: 'text', value: folded(field, plainText(value)) }] };
  if (field.field.anyMeans !== undefined && value === field.field.anyMeans) return constant(true);
  return { kind: 'equals', field, values: [literal(field, value)] };
}

function planOrder(operator: Exclude<Comparison, '='>, field: PlannedField, value: AstJson): Test {
  const ordered = field.type === 'timestamp' || field.type === 'integer' || field.type === 'value';
  if (!ordered || field.field.unordered === true)
    throw malformed(
      'operator',
      `Query operators >,>=,<,<= are not allowed on field ${excerpt(field.label)}`,
      operatorHint(field),
    );
  return { kind: 'orders', operator, field, value: orderLiteral(field, operator, value) };
}

function refuseExpanded(operator: string, field: PlannedField): void {
  if (field.type === 'expanded')
    throw malformed(
      'operator',
      `Query operator ${operator} is not allowed on field ${excerpt(field.label)}`,
      operatorHint(field),
    );
}

/** What `["fact", x]` and dotted names are compared with. */
function compareTest(operator: Comparison, value: AstJson, ofFact: boolean): TreeTest {
  if (ofFact && (value === null || !isScalar(value) || (operator !== '=' && !(value instanceof NumberText))))
    throw malformed(
      'value',
      `Operator '${operator}' not allowed on value '${shownText(value)}'`,
      valueHint(operator === '=' ? 'text' : 'number', undefined, value),
    );
  if (operator === '=') return equalsTest(value);
  if (!isScalar(value)) throw malformed('value', `Invalid ${operator} clause`);
  jsonText(value);
  return { kind: 'orders', operator, value };
}

function equalsTest(value: AstJson): TreeTest {
  jsonText(value);
  return value === null ? { kind: 'is-null', expected: true } : { kind: 'equals', value };
}

function planMatch(ref: FieldRef, pattern: AstJson, fields: Fields): Test {
  if (pattern !== null && typeof pattern !== 'string')
    throw malformed('value', `~ requires a regular expression in a string, not ${displayAst(pattern)}`);
  const keyed = planKeyed(ref, fields, () => ({ kind: 'matches', pattern: pattern ?? '' }));
  if (keyed) return pattern === null ? constant(false) : keyed;
  const field = fields.asked(nameOf(ref));
  const matchable = field.type !== 'timestamp' && field.type !== 'integer' && field.type !== 'boolean';
  if (!matchable)
    throw malformed(
      'operator',
      `Query operator ~ is not allowed on field ${excerpt(field.label)}`,
      operatorHint(field),
    );
  refuseExpanded('~', field);
  if (pattern === null) return constant(false);
  if (field.member) return treeTest(field.member, { kind: 'matches', pattern });
  if (field.type === 'tree' && field.field.tree)
    return treeTest({ tree: field.field.tree, steps: [] }, { kind: 'matches', pattern });
  if (field.type === 'json-text') return { kind: 'matches', field, pattern: JSON.stringify(pattern) };
  return { kind: 'matches', field, pattern: folded(field, pattern) };
}

function planMatchPath(ref: FieldRef, patterns: AstJson, fields: Fields): Test {
  const field = fields.asked(nameOf(ref));
  if (field.type !== 'path')
    throw malformed(
      'operator',
      `Query operator ~> is not allowed on field ${excerpt(field.label)}`,
      operatorHint(field),
    );
  if (!isList(patterns))
    throw malformed('value', `~> requires a list of regular expressions, not ${displayAst(patterns)}`);
  return { kind: 'path-matches', field, patterns: pathElements(patterns) };
}

function planNull(ref: FieldRef, expected: boolean, fields: Fields): Test {
  const keyed = planKeyed(ref, fields, () => ({ kind: 'is-null', expected }));
  if (keyed) return keyed;
  const field = fields.asked(nameOf(ref));
  if (field.member) return treeTest(field.member, { kind: 'is-null', expected });
  refuseExpanded('null?', field);
  // Values of events are JSON, and JSON null is a value.
  if (field.type === 'json-text') return constant(false);
  return { kind: 'is-null', field, expected };
}

function planInArray(refs: readonly FieldRef[], values: readonly AstJson[], fields: Fields): Test {
  const [ref] = refs;
  if (ref === undefined || refs.length > 1) return inRows(refs, values, fields);
  const keyed = planKeyed(ref, fields, () => ({ kind: 'is-null', expected: true }));
  if (keyed) {
    if (new Set(values.map(kindOf)).size > 1) throw malformed('value', 'All values in array must be the same type.');
    const members = values
      .filter((value) => value !== null)
      .flatMap((value) => planKeyed(ref, fields, (kind) => compareTest('=', value, kind === 'fact')) ?? []);
    return { kind: 'or', members };
  }
  const field = fields.asked(nameOf(ref));
  refuseExpanded('in', field);
  const member =
    field.member ?? (field.type === 'tree' && field.field.tree ? { tree: field.field.tree, steps: [] } : undefined);
  if (member) return { kind: 'or', members: values.map((value) => treeTest(member, equalsTest(value))) };
  if (field.type === 'texts' && field.field.lowerCase !== true)
    throw malformed('operator', 'Operator in...array is not supported on array types');
  if (field.type === 'path') return pathEquals(field, values);
  if (field.type === 'json-text')
    return { kind: 'or', members: values.map((value) => planCompare('=', ref, value, fields)) };
  const literals = values.flatMap((value) => memberLiteral(field, value) ?? []);
  return {
    kind: 'equals',
    field,
    values: literals.map((one) => (one.cast === 'text' ? { ...one, value: folded(field, String(one.value)) } : one)),
  };
}

const kindOf = (value: AstJson): string => (value instanceof NumberText ? 'number' : typeof value);

/** Several fields against an array of rows. */
function inRows(refs: readonly FieldRef[], values: readonly AstJson[], fields: Fields): Test {
  const members = values.map((row): Test => {
    if (!isList(row) || row.length !== refs.length)
      throw malformed('value', `${displayAst(row)} does not have one value for each of ${refs.length} fields`);
    return { kind: 'and', members: refs.map((ref, index) => planInArray([ref], [row[index] ?? null], fields)) };
  });
  return { kind: 'or', members };
}

function planInQuery(
  refs: readonly FieldRef[],
  query: EntitySelection,
  fields: Fields,
  planSelection: PlanSelection,
): Test {
  const local = refs.map((ref) => comparable(ref, fields));
  const inner = planSelection(query);
  if (inner.columns.length < local.length)
    throw malformed('shape', `in compares ${local.length} fields, but its query extracts ${inner.columns.length}`);
  return { kind: 'within', local, query: { ...inner, columns: inner.columns.slice(0, local.length) } };
}

function comparable(ref: FieldRef, fields: Fields): PlannedField {
  const field = fields.asked(nameOf(ref));
  refuseExpanded('in', field);
  if (field.member || field.type === 'tree') {
    const known = fields.entity.fields
      .filter((one) => one.uses?.includes('ask') !== false)
      .map((one) => `'${one.name}'`);
    throw malformed(
      'field',
      `Can't match on unknown '${fields.entity.name}' field '${excerpt(nameOf(ref))}' for 'in'. Acceptable fields are ${enumerate(known.sort())}`,
    );
  }
  return field;
}

function planRelated(query: EntitySelection, fields: Fields, planSelection: PlanSelection): Test {
  const name = query.entity.replaceAll('-', '_');
  const relation = fields.entity.relations[name];
  const inner = planSelection(
    relation
      ? { ...query, columns: relation.foreign.map((one) => ({ kind: 'field', field: { kind: 'name', name: one } })) }
      : query,
  );
  if (!relation)
    throw malformed('relation', `No implicit relationship for entity '${excerpt(query.entity)}'`, {
      hint: `Name the fields that connect them: ["in", field, ["from", "${excerpt(name)}", ["extract", field]]].`,
    });
  return { kind: 'within', local: relation.local.map((one) => fields.asked(one)), query: inner };
}

function pathEquals(field: PlannedField, values: readonly AstJson[]): Test {
  if (values.length === 1 && values[0] === null) return constant(false);
  const paths = values.map((value) => {
    if (!isList(value)) throw malformed('value', 'Path array element wasnt string or integer in {0}');
    return pathElements(value);
  });
  return { kind: 'path-equals', field, paths };
}

function pathElements(values: readonly AstJson[]): (string | number)[] {
  return values.map((value) => {
    if (typeof value === 'string') return value;
    if (value instanceof NumberText && value.isInteger) return Number(value.text);
    throw malformed('value', 'Path array element wasnt string or integer in {0}');
  });
}

/** A pair such as `["fact", x]`; undefined where the reference to the field is none. */
function planKeyed(ref: FieldRef, fields: Fields, test: (kind: 'fact' | 'parameter') => TreeTest): Test | undefined {
  if (ref.kind !== 'keyed') return undefined;
  const keyed = fields.entity.keyed?.[ref.container];
  if (!keyed) return undefined;
  if (keyed.kind === 'fact') return { kind: 'fact', node: keyed.node, steps: readSteps(ref.key), test: test('fact') };
  const { document, needs } = keyed;
  return { kind: 'parameter', document, needs, name: ref.key, test: test('parameter') };
}

const treeTest = (member: NonNullable<PlannedField['member']>, test: TreeTest): Test => ({
  kind: 'tree',
  tree: member.tree,
  steps: member.steps,
  test,
});

const nameOf = (ref: FieldRef): string => (ref.kind === 'name' ? ref.name : JSON.stringify([ref.container, ref.key]));

const folded = (field: PlannedField, text: string): string =>
  field.field.lowerCase === true ? text.toLowerCase() : text;

function isNodeState(ref: FieldRef): boolean {
  return ref.kind === 'name' ? ref.name === 'node_state' : ref.container === 'node' && ref.key === 'active';
}

function nodeState(operator: Comparison, ref: FieldRef, value: AstJson, fields: Fields): Test {
  if (operator !== '=')
    throw malformed('operator', `Query operators >,>=,<,<= are not allowed on field ${nameOf(ref)}`);
  // Every row is of any state, also where there are no nodes. No row of those is of another one.
  const isAny = ref.kind === 'name' && plainText(value).toLowerCase() === 'any';
  if (fields.entity.nodeJoin === undefined && !isAny) fields.asked(nameOf(ref));
  if (ref.kind === 'keyed')
    return { kind: 'node-state', state: value === false || value === null ? 'inactive' : 'active' };
  const state = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (state === 'active' || state === 'inactive' || state === 'any') return { kind: 'node-state', state };
  throw malformed('value', `node_state is active, inactive or any, not ${displayAst(value)}`);
}
