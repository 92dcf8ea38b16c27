import { excerpt } from '#fault';
import type { Condition, EntitySelection, FieldRef } from '../ast/ast';
import { type AstJson, displayAst, isList } from '../ast/json';
import { enumerate, malformed } from '../ast/malformed';
import { inPart } from '../ast/source-location';
import type { FieldKind } from '../kinds/field-kind';
import { equality } from '../operators/equality';
import { fieldOperator } from '../operators/operators';
import { isOrdering, orderings } from '../operators/ordering';
import { refusedOperator } from '../operators/refuse-operator';
import { type Fields, nameOf } from './fields';
import { isNodeState, planNodeState } from './node-state';
import type { Plan, Test } from './plan';

/**
 * Plans a selection from another entity. This function is passed as a parameter because selections and conditions
 * contain each other, and imports must not have cycles.
 */
type PlanSelection = (query: EntitySelection) => Plan;

const anyState: Test = { kind: 'node-state', state: 'any' };
const isAnyState = (test: Test): boolean => test.kind === 'node-state' && test.state === 'any';

/** Refuses unknown fields, operators that a field does not have, and values that a field cannot be compared with. */
export function planCondition(condition: Condition, fields: Fields, planSelection: PlanSelection): Test {
  return inPart(condition.source, () => planOne(condition, fields, planSelection));
}

function planOne(condition: Condition, fields: Fields, planSelection: PlanSelection): Test {
  const plan = (one: Condition): Test => planCondition(one, fields, planSelection);
  switch (condition.kind) {
    case 'and':
    case 'or': {
      // `node_state = "any"` filters nothing. It only removes the default restriction to active nodes, so `and`, `or`
      // and `not` ignore it.
      const members = condition.members.map(plan).filter((member) => !isAnyState(member));
      return members.length === 0 ? anyState : { kind: condition.kind, members };
    }
    case 'not': {
      const member = plan(condition.member);
      return isAnyState(member) ? member : { kind: 'not', member };
    }
    case 'test':
      return planTest(condition, fields);
    case 'version':
      return planVersionTest(condition, fields);
    case 'in-array':
      return planInArray(condition.fields, condition.values, fields);
    case 'in-query':
      return planInQuery(condition.fields, condition.query, fields, planSelection);
    case 'related':
      return planRelated(condition.query, fields, planSelection);
  }
}

function planTest({ operator: name, field: ref, value }: Extract<Condition, { kind: 'test' }>, fields: Fields): Test {
  const operator = fieldOperator(name);
  if (operator === undefined) throw new Error(`not an operator: ${name}`);
  if (isNodeState(ref) && (operator === equality || orderings.includes(operator)))
    return planNodeState(name, ref, value, fields);
  const compared = fields.compared(ref);
  if (isOrdering(name) && compared.kind.ordersTime && fields.language.has('relative-times'))
    return compared.kind.ordersTime(name, value, compared.label);
  const compare = operator.on(compared.kind);
  if (compare) return compare(value, compared.label);
  throw ref.kind === 'keyed' ? fields.notQueryable(nameOf(ref)) : refusedOperator(operator, compared, fields.language);
}

function planVersionTest({ field: ref, test }: Extract<Condition, { kind: 'version' }>, fields: Fields): Test {
  const { kind, label } = fields.compared(ref);
  if (kind.comparesVersion) return kind.comparesVersion(test);
  throw malformed('function', `Function 'version' is not defined on field '${excerpt(label)}'`, {
    hint: `The field is ${kind.noun}; versions are texts, or values of facts and parameters.`,
  });
}

function planInArray(refs: readonly FieldRef[], values: readonly AstJson[], fields: Fields): Test {
  const [ref] = refs;
  if (ref === undefined || refs.length > 1) return inRows(refs, values, fields);
  const compared = fields.compared(ref);
  const { kind, label } = compared;
  if (!kind.equals) throw refusedOperator({ name: 'in' }, compared, fields.language);
  if (!kind.isIn) throw malformed('operator', 'Operator in...array is not supported on array types');
  return kind.isIn(values, label);
}

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
  const inner = inPart(query.source, () => planSelection(query));
  if (inner.columns.length < local.length)
    throw malformed('shape', `in compares ${local.length} fields, but its query extracts ${inner.columns.length}`);
  return { kind: 'within', local, query: { ...inner, columns: inner.columns.slice(0, local.length) } };
}

function comparable(ref: FieldRef, fields: Fields): FieldKind {
  const planned = fields.queryable(nameOf(ref));
  const { kind, field } = planned;
  if (!kind.equals) throw refusedOperator({ name: 'in' }, planned, fields.language);
  if (!field.kind.member) return kind;
  const known = fields.entity.fields.filter((one) => one.uses?.includes('ask') !== false).map((one) => `'${one.name}'`);
  throw malformed(
    'field',
    `Can't match on unknown '${fields.entity.name}' field '${excerpt(nameOf(ref))}' for 'in'. Acceptable fields are ${enumerate(known.sort())}`,
  );
}

function planRelated(query: EntitySelection, fields: Fields, planSelection: PlanSelection): Test {
  const name = query.entity.replaceAll('-', '_');
  const { relations } = fields.entity;
  const relation = Object.hasOwn(relations, name) ? relations[name] : undefined;
  const inner = planSelection(
    relation
      ? { ...query, columns: relation.foreign.map((one) => ({ kind: 'field', field: { kind: 'name', name: one } })) }
      : query,
  );
  if (!relation)
    throw malformed('relation', `No implicit relationship for entity '${excerpt(query.entity)}'`, {
      hint: `Name the fields that connect them: ["in", field, ["from", "${excerpt(name)}", ["extract", field]]].`,
    });
  return { kind: 'within', local: relation.local.map((one) => fields.queryable(one).kind), query: inner };
}
