import type { Plan, PlannedColumn, PlannedField } from '../plan/plan';
import { sameColumn } from '../plan/plan-selection';
import { type Fragment, all, bind, comma, empty, join, label, parenthesised, sql } from './fragment';
import { comparableValue, objectText, printed, shownValue } from './output';
import { type ChosenColumn, Needs } from './needs';
import { testSql } from './test-sql';

/** WHERE of a plan: its test, what makes a row of the entity exist, what the entity asks of itself. */
export function whereSql(plan: Plan, needs: Needs): Fragment {
  const parts = [testSql(plan.test, { plan, needs, rowsOf: selectColumns })];
  if (plan.entity.where) parts.push(plan.entity.where);
  if (plan.also) parts.push(plan.also);
  return sql`WHERE ${all(parts)}`;
}

function paging(plan: Plan): Fragment {
  const limit = plan.limit === undefined ? empty : sql` LIMIT ${bind(String(plan.limit), 'bigint')}`;
  const offset = plan.offset === undefined ? empty : sql` OFFSET ${bind(String(plan.offset), 'bigint')}`;
  return sql`${limit}${offset}`;
}

const direction = (order: 'asc' | 'desc'): Fragment => (order === 'asc' ? sql`ASC` : sql`DESC`);

function orderBy(plan: Plan, needs: Needs): Fragment {
  if (plan.order.length === 0) return empty;
  const terms = plan.order.map(({ field, order }) => {
    if (field.field.sort) needs.addNames(field.field.sortNeeds ?? []);
    else needs.add(field);
    return sql`${field.field.sort ?? field.value} ${direction(order)}`;
  });
  return sql` ORDER BY ${join(terms, comma)}`;
}

/** Rows of one text column `row`: the JSON of each record. */
export function selectRows(plan: Plan): Fragment {
  if (plan.groups) return selectGrouped(plan, (grouped) => sql`SELECT ${grouped.record} AS row ${grouped.from}`);
  const needs = new Needs(plan);
  const members = plan.columns.map((column) => {
    if (column.kind === 'call') return { label: column.label, value: callSql(column, needs) };
    const shown = shownValue(column.field, plan.edition);
    needs.addNames(shown.needs);
    return { label: column.label, value: shown.value };
  });
  const condition = whereSql(plan, needs);
  const order = orderBy(plan, needs);
  return sql`SELECT ${recordText(plan, members)} AS row ${needs.from()} ${condition}${order}${paging(plan)}`;
}

/** One row of one text column `row`: how many records there are without limit and offset. */
export function selectTotal(plan: Plan): Fragment {
  const { limit: _limit, offset: _offset, ...unpaged } = plan;
  const whole: Plan = { ...unpaged, order: [] };
  if (plan.groups) return selectGrouped(whole, (grouped) => sql`SELECT count(*)::text AS row ${grouped.from}`);
  const needs = new Needs(whole);
  const condition = whereSql(whole, needs);
  return sql`SELECT count(*)::text AS row ${needs.from()} ${condition}`;
}

/** An object, or the bare value for entities that have but one. */
function recordText(plan: Plan, members: readonly { label: string; value: Fragment }[]): Fragment {
  const [only, ...others] = members;
  if (only && others.length === 0 && only.label === plan.entity.bare) return sql`to_json(${only.value})::text`;
  return objectText(members);
}

/** Folds rows in an inner query, whose columns k1, k2 ... are the groups and a1, a2 ... the functions. */
function selectGrouped(plan: Plan, outer: (grouped: { record: Fragment; from: Fragment }) => Fragment): Fragment {
  const needs = new Needs(plan);
  const groups = plan.groups ?? [];
  const inner = groups.map((group, index) => sql`${columnValue(group, needs)} AS ${label('k', index + 1)}`);
  let functions = 0;
  const members = plan.columns.map((column) => {
    const place = groups.findIndex((group) => sameColumn(group, column));
    if (place >= 0) {
      const value = sql`g.${label('k', place + 1)}`;
      return {
        label: column.label,
        value: column.kind === 'field' && !column.field.member ? printed(column.field.type, value) : value,
      };
    }
    if (column.kind === 'field') return { label: column.label, value: sql`NULL` };
    functions++;
    inner.push(sql`${callSql(column, needs)} AS ${label('a', functions)}`);
    return { label: column.label, value: sql`g.${label('a', functions)}` };
  });
  if (inner.length === 0) inner.push(sql`1 AS k0`);
  const condition = whereSql(plan, needs);
  const by = groups.map((_, index) => bindlessNumber(index + 1));
  const groupBy = by.length === 0 ? empty : sql` GROUP BY ${join(by, comma)}`;
  const order = groupedOrder(plan, groups);
  const from = sql`FROM (SELECT ${join(inner, comma)} ${needs.from()} ${condition}${groupBy}) g${order}${paging(plan)}`;
  return outer({ record: recordText(plan, members), from });
}

// Places in GROUP BY are written, not bound: a parameter would be a constant expression there.
function bindlessNumber(place: number): Fragment {
  return sql`${label('k', place)}`;
}

function groupedOrder(plan: Plan, groups: readonly PlannedColumn[]): Fragment {
  const terms = plan.order.flatMap(({ field, order }) => {
    const place = groups.findIndex((group) => group.kind === 'field' && group.field.field === field.field);
    return place < 0 ? [] : [sql`g.${label('k', place + 1)} ${direction(order)}`];
  });
  return terms.length === 0 ? empty : sql` ORDER BY ${join(terms, comma)}`;
}

function columnValue(column: PlannedColumn, needs: Needs): Fragment {
  if (column.kind === 'call') return callSql(column, needs);
  needs.add(column.field);
  return comparableValue(column.field);
}

function callSql(column: Extract<PlannedColumn, { kind: 'call' }>, needs: Needs): Fragment {
  const { field, name } = column;
  if (!field) return column.nothing === true ? sql`count(NULL::text)` : sql`count(*)`;
  needs.add(field);
  const value = comparableValue(field);
  const isJson = field.type === 'value' || field.member !== undefined;
  // Numbers, and strings that read as numbers; anything else among the values of a fact is passed over.
  const number = sql`CASE WHEN jsonb_typeof(${value}) = 'number' OR (jsonb_typeof(${value}) = 'string'
    AND (${value} #>> '{}') ~ '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?$')
    THEN (${value} #>> '{}')::numeric END`;
  switch (name) {
    case 'count':
      return sql`count(${value})`;
    case 'avg':
      return sql`avg(${isJson ? number : value})`;
    case 'sum':
      return sql`sum(${isJson ? number : value})`;
    case 'min':
      return extreme(sql`min`, field, isJson ? number : value);
    case 'max':
      return extreme(sql`max`, field, isJson ? number : value);
    case 'to_string':
      return field.type === 'timestamp'
        ? sql`to_char(${value} AT TIME ZONE 'UTC', ${bind(column.template ?? '', 'text')})`
        : sql`to_char(${value}, ${bind(column.template ?? '', 'text')})`;
  }
}

const extreme = (name: Fragment, field: PlannedField, value: Fragment): Fragment =>
  field.type === 'timestamp' && !field.member ? printed('timestamp', sql`${name}(${value})`) : sql`${name}(${value})`;

/** The rows of a query inside a condition: its columns as the outer side compares them. */
export function selectColumns(plan: Plan, chosen: readonly ChosenColumn[]): Fragment {
  if (plan.groups) return selectGroupedColumns(plan, chosen);
  const needs = new Needs(plan);
  const columns = chosen.map(({ column, as }) => {
    if (as === 'key' && column.kind === 'field' && column.field.key) {
      needs.addNames(column.field.key.needs ?? []);
      return column.field.key.value;
    }
    const value = columnValue(column, needs);
    if (as === 'text') return sql`${parenthesised(value)}::text`;
    return as === 'jsonb' ? sql`to_jsonb(${value})` : value;
  });
  const condition = whereSql(plan, needs);
  const order = orderBy(plan, needs);
  return sql`SELECT ${join(columns, comma)} ${needs.from()} ${condition}${order}${paging(plan)}`;
}

function selectGroupedColumns(plan: Plan, chosen: readonly ChosenColumn[]): Fragment {
  const groups = plan.groups ?? [];
  const needs = new Needs(plan);
  const inner = groups.map((group, index) => sql`${columnValue(group, needs)} AS ${label('k', index + 1)}`);
  let functions = 0;
  const columns = chosen.map(({ column, as }) => {
    const place = groups.findIndex((group) => sameColumn(group, column));
    let value: Fragment;
    if (place >= 0) value = sql`g.${label('k', place + 1)}`;
    else {
      functions++;
      inner.push(sql`${columnValue(column, needs)} AS ${label('a', functions)}`);
      value = sql`g.${label('a', functions)}`;
    }
    if (as === 'text') return sql`${value}::text`;
    return as === 'jsonb' ? sql`to_jsonb(${value})` : value;
  });
  const condition = whereSql(plan, needs);
  const by = groups.map((_, index) => label('k', index + 1));
  const groupBy = by.length === 0 ? empty : sql` GROUP BY ${join(by, comma)}`;
  return sql`SELECT ${join(columns, comma)} FROM (SELECT ${join(inner, comma)} ${needs.from()} ${condition}${groupBy}) g${groupedOrder(plan, groups)}${paging(plan)}`;
}
