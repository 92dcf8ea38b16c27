import { excerpt, nearest } from '#fault';
import type { Column, Condition, EntitySelection, FieldRef, FunctionCall, GroupTest, OrderTerm } from '../ast/ast';
import { conditionParts } from '../ast/condition-parts';
import { displayAst } from '../ast/json';
import { malformed, meantHint } from '../ast/malformed';
import { inPart } from '../ast/source-location';
import type { Entity, FieldOption } from '../entities/entity';
import { distinctEvents } from '../entities/events';
import { entities, findEntity } from '../entities/registry';
import { isNumber, knownFunction, type QueryFunction } from '../operators/functions';
import { Fields } from './fields';
import type { Plan, PlannedColumn, PlannedField, Test } from './plan';
import { isNodeState } from './node-state';
import { onlyCounts } from './uses-only';
import { planCondition } from './plan-condition';
import type { CompileTarget } from './target';

export interface PlanOptions {
  readonly target: CompileTarget;
  readonly fieldOptions?: readonly FieldOption[] | undefined;
  /** A condition that the caller adds. It does not turn off the default condition on active nodes. */
  readonly restrict?: Condition | undefined;
  /** Whether only rows of active nodes are selected. A query that names node_state turns this off. */
  readonly activeOnly: boolean;
  /**
   * If present, a query of events selects only the newest event of each resource property between `start` and `end`.
   * Both are texts that PostgreSQL can read as times.
   */
  readonly distinct?: { readonly start: string; readonly end: string } | undefined;
  /** If absent, the name in the query determines the entity. */
  readonly entity?: Entity | undefined;
}

export function planSelection(query: EntitySelection, options: PlanOptions): Plan {
  const queried = options.entity ?? inPart(query.form === 'select' ? undefined : query.source, () => entityOf(query));
  const { counted } = queried;
  const entity = counted && onlyCounts(query, options.restrict, counted) ? counted : queried;
  const { target } = options;
  const fields = new Fields(entity, target, options.fieldOptions ?? []);
  const nested = (inner: EntitySelection): Plan => planSelection(inner, { target, activeOnly: false });

  const columns = inPart(query.extract, () => planColumns(query.columns, fields));

  const tests: Test[] = [];
  if (options.restrict) tests.push(planCondition(options.restrict, fields, nested));
  if (query.condition) tests.push(planCondition(query.condition, fields, nested));
  if (options.activeOnly && entity.nodeJoin !== undefined && !mentionsNodeState(query.condition))
    tests.push({ kind: 'node-state', state: 'active' });

  if (options.distinct && (query.columns || query.groupBy))
    throw malformed('shape', 'extract is not allowed with distinct_resources');
  const groups = inPart(query.extract, () => planGroups(query, columns, fields));
  const { unlessQueried } = entity;
  const isNamed = (field: string): boolean => mentions(query.condition, field) || mentions(options.restrict, field);
  const defaultOrder = (entity.sortedBy ?? []).map((field) => ({ field, order: 'asc' as const }));
  const terms = query.orderBy ?? (query.columns ? [] : defaultOrder);
  const inOrder = <T>(plan: (term: OrderTerm) => T): T[] =>
    terms.map((term, index) => inPart('call' in term ? query.orderByList : undefined, () => plan(term), index));

  return {
    entity,
    from: options.distinct && distinctEvents(options.distinct),
    test: { kind: 'and', members: tests },
    columns,
    groups,
    having: query.having?.map((one) => planGroupTest(one, fields)),
    ...(groups
      ? { order: [], groupOrder: inOrder((term) => planGroupOrder(term, groups, fields)) }
      : { order: inOrder((term) => planOrder(term, fields)) }),
    limit: query.limit,
    offset: query.offset,
    also: unlessQueried && !isNamed(unlessQueried.field) ? unlessQueried.condition : undefined,
    inactiveForSeconds: target.nodePurgeSeconds,
  };
}

function entityOf(query: EntitySelection): Entity {
  const text = query.entity;
  const known = entities.map((entity) => entity.name);
  if (query.form === 'select') {
    const found = text.startsWith('select_') ? findEntity(text.slice('select_'.length)) : undefined;
    if (found && !text.includes('-')) return found;
    const meant = `select_${nearest(text.replace(/^select[-_]/, '').replaceAll('-', '_'), known) ?? ''}`;
    const guess = meant === 'select_' ? '' : ` - did you mean \`${meant}\`?`;
    throw malformed('entity', `Unsupported subquery \`${excerpt(text)}\`${guess}`);
  }
  const found = findEntity(text);
  if (found) return found;
  const meant = nearest(text.replaceAll('-', '_'), known);
  throw malformed(
    'entity',
    `Invalid entity '${excerpt(text)}' in query`,
    meant === undefined
      ? { hint: `Entities are ${known.join(', ')}.` }
      : { hint: `Did you mean '${meant}'?`, details: { nearest: meant } },
  );
}

function planColumns(columns: readonly Column[] | undefined, fields: Fields): PlannedColumn[] {
  if (!columns?.length) return fields.shown().map((field) => ({ kind: 'field', label: field.label, field }));
  fields.checkExtracted(columns.flatMap((column) => (column.kind === 'field' ? [column.field] : [])));
  return named(columns.map((column) => planColumn(column, fields)));
}

function planColumn(column: Column, fields: Fields): PlannedColumn {
  if (column.kind === 'call') return planCall(column, fields);
  const field = fields.extracted(column.field);
  return { kind: 'field', label: field.label, field };
}

function planCall(call: FunctionCall, fields: Fields): PlannedColumn {
  const { name } = call;
  if (!call.field) return { kind: 'call', label: name, name };
  const called = knownFunction(name);
  const field = functionField(called, call.field, fields);
  // The function returns a value even for a field that does not exist.
  if (!field) return { kind: 'call', label: name, name, nothing: true };
  if (!called.accepts(field.kind))
    throw malformed('function', `Function '${name}' is not defined on field '${excerpt(field.label)}'`);
  return {
    kind: 'call',
    label: name,
    name,
    field,
    ...(call.template === undefined ? {} : { template: call.template }),
  };
}

function functionField(called: QueryFunction, ref: FieldRef, fields: Fields): PlannedField | undefined {
  const name = ref.kind === 'name' ? ref.name : undefined;
  const found = name === undefined ? undefined : (fields.find(name, 'show') ?? fields.find(name, 'ask'));
  return found ?? (called.ofUnknownField === undefined ? fields.extracted(ref) : undefined);
}

/** Renames columns with equal names: the first stays `count`, the second becomes `count_2`, and the third `count_3`. */
function named(columns: readonly PlannedColumn[]): PlannedColumn[] {
  const seen = new Map<string, number>();
  return columns.map((column) => {
    const times = (seen.get(column.label) ?? 0) + 1;
    seen.set(column.label, times);
    return times === 1 ? column : { ...column, label: `${column.label}_${times}` };
  });
}

const isAggregate = (column: PlannedColumn): boolean =>
  column.kind === 'call' && knownFunction(column.name).isAggregate;

/**
 * Returns undefined if the query does not group rows, and an empty list if the query has aggregate functions but no
 * group_by.
 */
function planGroups(
  query: EntitySelection,
  columns: readonly PlannedColumn[],
  fields: Fields,
): readonly PlannedColumn[] | undefined {
  if (query.distinct === true) return planDistinct(columns);
  if (!query.groupBy && !columns.some(isAggregate)) return undefined;
  const groups = (query.groupBy ?? []).map((column, index) =>
    inPart(query.groupByList, () => planGroup(column, fields), index + 1),
  );
  for (const column of columns)
    if (!isAggregate(column) && !groups.some((group) => sameColumn(group, column)))
      throw malformed(
        'group',
        `Column '${excerpt(column.label)}' must appear in group_by or be the argument of a function`,
        {
          hint: `Add ["group_by", "${excerpt(column.label)}"] as the last part of extract, in PQL group by ${excerpt(column.label)}.`,
        },
      );
  return groups;
}

/** Groups the rows by all columns, so that each distinct row becomes one group. */
function planDistinct(columns: readonly PlannedColumn[]): readonly PlannedColumn[] {
  for (const column of columns) {
    if (isAggregate(column))
      throw malformed('group', `Function '${excerpt(column.label)}' folds rows and cannot be combined with distinct`, {
        hint: 'The function count_distinct counts the different values of a field.',
      });
    if (column.field?.kind.name === 'expanded')
      throw malformed('group', `Field '${excerpt(column.label)}' cannot be combined with distinct`);
  }
  return columns;
}

function planGroup(column: Column, fields: Fields): PlannedColumn {
  if (column.kind === 'call') {
    if (knownFunction(column.name).isAggregate)
      throw malformed('function', `Function '${column.name}' is not allowed in group_by`);
    return planCall(column, fields);
  }
  const { field } = column;
  const found = field.kind === 'name' ? fields.find(field.name, 'show') : undefined;
  if (!found) {
    const name = field.kind === 'name' ? field.name : displayAst([field.container, field.key]);
    const known = fields.shown().map(({ label }) => label);
    throw malformed(
      'field',
      `${JSON.stringify(excerpt(name))} is niether a valid column name nor function name`,
      meantHint(name, known, `Columns are ${known.join(', ')}.`),
    );
  }
  if (found.kind.name === 'expanded')
    throw malformed('group', `Field '${excerpt(found.label)}' is not allowed in group_by`);
  return { kind: 'field', label: found.label, field: found };
}

function planGroupTest(
  { call, operator, value, source }: GroupTest,
  fields: Fields,
): NonNullable<Plan['having']>[number] {
  return inPart(source, () => {
    const { name, isAggregate: folds, isCount = false } = knownFunction(call.name);
    if (!folds)
      throw malformed('function', `Function '${name}' is not allowed in having: it gives a value for each row`);
    const column = planCall(call, fields);
    if (column.field !== undefined && !isCount && !isNumber(column.field.kind))
      throw malformed('function', `having compares numbers, and ${name} of '${excerpt(column.field.label)}' is none`);
    return { column, operator, value };
  });
}

export function sameColumn(one: PlannedColumn, other: PlannedColumn): boolean {
  if (one.kind === 'field' && other.kind === 'field')
    return one.field.field === other.field.field && one.field.label === other.field.label;
  return (
    one.kind === 'call' &&
    other.kind === 'call' &&
    one.name === other.name &&
    one.field?.label === other.field?.label &&
    one.template === other.template
  );
}

function planOrder(term: OrderTerm, fields: Fields): Plan['order'][number] {
  if ('call' in term)
    throw malformed('paging', `order_by can name the function '${term.call.name}' only where rows are grouped`, {
      hint: 'Group the rows: ["group_by", field] as the last part of extract, in PQL group by field.',
    });
  return { field: fields.ordered(term.field), order: term.order };
}

function planGroupOrder(
  term: OrderTerm,
  groups: readonly PlannedColumn[],
  fields: Fields,
): NonNullable<Plan['groupOrder']>[number] {
  const { order } = term;
  if ('call' in term) {
    const column = planCall(term.call, fields);
    if (isAggregate(column) || groups.some((group) => sameColumn(group, column))) return { column, order };
    throw malformed('paging', `order_by can name the function '${term.call.name}' only if group_by has it too`);
  }
  const shown = fields.language.has('grouped-order') ? fields.find(term.field, 'show') : undefined;
  const ordered = shown && groups.find((group) => group.kind === 'field' && group.field === shown);
  if (ordered) return { column: ordered, order };
  const field = fields.ordered(term.field);
  const column = groups.find((group) => group.kind === 'field' && group.field.field === field.field);
  if (column) return { column, order };
  throw malformed('paging', `order_by can only name columns of group_by here, and '${excerpt(field.label)}' is none`);
}

/** Includes sub-queries. */
function mentionsNodeState(condition: Condition | undefined): boolean {
  if (!condition) return false;
  const { conditions, fields, query } = conditionParts(condition);
  return fields.some(isNodeState) || conditions.some(mentionsNodeState) || mentionsNodeState(query?.condition);
}

/** Ignores sub-queries. */
function mentions(condition: Condition | undefined, name: string): boolean {
  if (!condition) return false;
  const { conditions, fields } = conditionParts(condition);
  return (
    fields.some((field) => field.kind === 'name' && field.name === name) ||
    conditions.some((one) => mentions(one, name))
  );
}
