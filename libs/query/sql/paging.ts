import type { Plan } from '../plan/plan';
import { type Fragment, bind, comma, empty, join, sql } from './fragment';
import type { Needs } from './needs';

/** LIMIT 1 is a constant instead of a parameter, so that PostgreSQL can reuse the plan. */
export function paging(plan: Pick<Plan, 'limit' | 'offset'>): Fragment {
  const most = plan.limit === 1 ? sql`1` : bind(String(plan.limit), 'bigint');
  const limit = plan.limit === undefined ? empty : sql` LIMIT ${most}`;
  const offset = plan.offset === undefined ? empty : sql` OFFSET ${bind(String(plan.offset), 'bigint')}`;
  return sql`${limit}${offset}`;
}

export const direction = (order: 'asc' | 'desc'): Fragment => (order === 'asc' ? sql`ASC` : sql`DESC`);

export function orderBy(plan: Plan, needs: Needs): Fragment {
  if (plan.order.length === 0) return empty;
  const terms = plan.order.map(({ field, order }) => {
    needs.add(field.kind.needs);
    return field.kind.sorted(direction(order));
  });
  return sql` ORDER BY ${join(terms, comma)}`;
}
