import type { Plan, PlannedColumn } from '../plan/plan';
import { columnValue } from './column';
import { type Fragment, all, comma, join, parenthesised, sql } from './fragment';
import { type GroupedValue, groupedQuery } from './grouped';
import { type ChosenColumn, Needs } from './needs';
import { objectText, type ObjectMember } from './object-text';
import { orderBy, paging } from './paging';
import { testSql } from './condition-sql';

export function whereSql(plan: Plan, needs: Needs): Fragment {
  const parts = [testSql(plan.test, { plan, needs, rowsOf: selectColumns, narrows: true })];
  if (plan.entity.where) parts.push(plan.entity.where);
  if (plan.also) parts.push(plan.also);
  return sql`WHERE ${all(parts)}`;
}

export function selectRows(plan: Plan): Fragment {
  if (plan.groups) {
    const { from, values } = groupedQuery(plan, plan.columns, whereSql);
    const members = plan.columns.flatMap((column, index) => {
      const value = values[index];
      return value ? [{ label: column.label, value: printedGroup(column, value) }] : [];
    });
    return sql`SELECT ${recordText(plan, members)} AS row ${from}`;
  }
  const needs = new Needs(plan);
  const members = plan.columns.map((column): ObjectMember => {
    if (column.kind === 'call') return { label: column.label, value: columnValue(column, needs) };
    const { kind, field } = column.field;
    needs.add(kind.needs);
    return { label: column.label, value: kind.shown(), text: kind === field.kind ? field.jsonText : undefined };
  });
  const condition = whereSql(plan, needs);
  const order = orderBy(plan, needs);
  return sql`SELECT ${recordText(plan, members)} AS row ${needs.from()} ${condition}${order}${paging(plan)}`;
}

function printedGroup(column: PlannedColumn, { value, text, isGroup }: GroupedValue): Fragment {
  if (text) return sql`(${text})::json`;
  return isGroup && column.kind === 'field' ? column.field.kind.printed(value) : value;
}

export function selectTotal(plan: Plan): Fragment {
  const whole = { ...plan, order: [], groupOrder: undefined, limit: undefined, offset: undefined };
  if (plan.groups) return sql`SELECT count(*)::text AS row ${groupedQuery(whole, plan.columns, whereSql).from}`;
  const needs = new Needs(whole);
  const condition = whereSql(whole, needs);
  return sql`SELECT count(*)::text AS row ${needs.from()} ${condition}`;
}

function recordText(plan: Plan, members: readonly ObjectMember[]): Fragment {
  const [only, ...others] = members;
  if (only && others.length === 0 && only.label === plan.entity.bare) return sql`to_json(${only.value})::text`;
  return objectText(members);
}

export function selectColumns(plan: Plan, chosen: readonly ChosenColumn[]): Fragment {
  if (plan.groups) {
    const { from, values } = groupedQuery(
      plan,
      chosen.map(({ column }) => column),
      whereSql,
    );
    const columns = chosen.flatMap(({ as }, index) => {
      const value = values[index];
      return value ? [compared(value.value, as)] : [];
    });
    return sql`SELECT ${join(columns, comma)} ${from}`;
  }
  const needs = new Needs(plan);
  const columns = chosen.map(({ column, as }) => {
    if (as === 'key' && column.kind === 'field' && column.field.kind.key) {
      const { key } = column.field.kind;
      needs.add(key.needs);
      return key.value;
    }
    return compared(columnValue(column, needs), as);
  });
  const condition = whereSql(plan, needs);
  const order = orderBy(plan, needs);
  return sql`SELECT ${join(columns, comma)} ${needs.from()} ${condition}${order}${paging(plan)}`;
}

function compared(value: Fragment, as: ChosenColumn['as']): Fragment {
  if (as === 'text') return sql`${parenthesised(value)}::text`;
  return as === 'jsonb' ? sql`to_jsonb(${value})` : value;
}
