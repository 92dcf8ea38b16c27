import type { CountName, EventCountsPlan } from '../plan/plan-event-counts';
import { type Fragment, bind, bindPlanIndependent, comma, empty, join, sql, table } from './fragment';
import { Needs } from './needs';
import { objectText } from './object-text';
import { whereSql } from './select';
import { orderingSql } from './ordering';
import { direction, paging } from './paging';

const eventCount: Record<CountName, Fragment> = {
  failures: sql`(e.status = 'failure')::int`,
  successes: sql`(e.status = 'success')::int`,
  noops: sql`(e.status = 'noop')::int`,
  skips: sql`(e.status = 'skipped')::int`,
  intentional_successes: sql`(e.status = 'success' AND e.corrective_change IS NOT TRUE)::int`,
  corrective_successes: sql`(e.status = 'success' AND e.corrective_change IS TRUE)::int`,
  intentional_noops: sql`(e.status = 'noop' AND e.corrective_change IS NOT TRUE)::int`,
  corrective_noops: sql`(e.status = 'noop' AND e.corrective_change IS TRUE)::int`,
};

const keptCount: Record<CountName, Fragment> = {
  failures: sql`e.failures`,
  successes: sql`e.successes`,
  noops: sql`e.noops`,
  skips: sql`e.skips`,
  intentional_successes: sql`(e.successes - e.corrective_successes)`,
  corrective_successes: sql`e.corrective_successes`,
  intentional_noops: sql`(e.noops - e.corrective_noops)`,
  corrective_noops: sql`e.corrective_noops`,
};

const countColumn: Record<CountName, Fragment> = {
  failures: sql`failures`,
  successes: sql`successes`,
  noops: sql`noops`,
  skips: sql`skips`,
  intentional_successes: sql`intentional_successes`,
  corrective_successes: sql`corrective_successes`,
  intentional_noops: sql`intentional_noops`,
  corrective_noops: sql`corrective_noops`,
};

const subjectColumn = {
  certname: sql`certname`,
  containing_class: sql`containing_class`,
  resource_type: sql`resource_type`,
  resource_title: sql`resource_title`,
};

/** The query adds the certname of a node after counting, so events are counted by the key of the node. */
const subjectKeys = {
  certname: sql`e.node AS node`,
  containing_class: sql`e.containing_class AS containing_class`,
  resource: sql`e.resource_type AS resource_type, e.resource_title AS resource_title`,
};

const subjectGroups = {
  certname: sql`node`,
  containing_class: sql`containing_class`,
  resource: sql`resource_type, resource_title`,
};

const columnsOf = (plan: EventCountsPlan, column: (name: CountName) => Fragment): Fragment =>
  join(
    plan.counts.map((name) => sql`${column(name)} AS ${countColumn[name]}`),
    comma,
  );

function subjects(plan: EventCountsPlan): Fragment {
  const needs = new Needs(plan.events);
  const where = whereSql(plan.events, needs);
  const kept = plan.source === 'counts' ? keptCount : eventCount;
  const key = subjectKeys[plan.subject];
  const group = subjectGroups[plan.subject];
  const rows = sql`SELECT ${key}, e.node AS counted_node, ${columnsOf(plan, (name) => kept[name])} ${needs.from()} ${where}`;
  // If events are counted by certname, a node counts at most once for each status.
  const perNode = sql`SELECT ${group}, ${columnsOf(plan, (name) => sql`max(least(${countColumn[name]}, 1))`)}
    FROM (${rows}) n GROUP BY ${group}, counted_node`;
  const counted = plan.countBy === 'certname' ? perNode : rows;
  const summed = sql`SELECT ${group}, ${columnsOf(plan, (name) => sql`coalesce(sum(${countColumn[name]}), 0)`)}
    FROM (${counted}) s GROUP BY ${group}`;
  const named =
    plan.subject === 'certname'
      ? sql`(SELECT n.certname AS certname, c.* FROM (${summed}) c JOIN ${table('nodes')} n ON n.node = c.node) c`
      : sql`(${summed}) c`;
  const { filter } = plan;
  if (!filter) return sql`FROM ${named}`;
  return sql`FROM ${named} WHERE c.${countColumn[filter.count]} ${orderingSql(filter.operator)} ${bind(filter.value, 'numeric')}`;
}

export function selectEventCounts(plan: EventCountsPlan): Fragment {
  const subject = {
    certname: sql`json_build_object('title', c.certname)`,
    containing_class: sql`json_build_object('title', c.containing_class)`,
    resource: sql`json_build_object('type', c.resource_type, 'title', c.resource_title)`,
  }[plan.subject];
  const record = objectText([
    { label: 'subject_type', value: bindPlanIndependent(plan.subject, 'text') },
    { label: 'subject', value: subject },
    ...plan.counts.map((name) => ({ label: name, value: sql`c.${countColumn[name]}` })),
  ]);
  const terms = plan.order.map(({ column, order }) => {
    const value =
      column in countColumn ? countColumn[column as CountName] : subjectColumn[column as keyof typeof subjectColumn];
    return sql`c.${value} ${direction(order)}`;
  });
  const order = terms.length === 0 ? empty : sql` ORDER BY ${join(terms, comma)}`;
  return sql`SELECT ${record} AS row ${subjects(plan)}${order}${paging(plan)}`;
}

export function selectEventCountsTotal(plan: EventCountsPlan): Fragment {
  return sql`SELECT count(*)::text AS row ${subjects(plan)}`;
}

/** The only row contains the number of subjects, and for each status the number of subjects with such an event. */
export function selectAggregateEventCounts(plan: EventCountsPlan): Fragment {
  const counts = (['failures', 'successes', 'noops', 'skips'] as const).map((name) => ({
    label: name,
    value: sql`count(*) FILTER (WHERE c.${countColumn[name]} > 0)`,
  }));
  const record = objectText([
    { label: 'summarize_by', value: bindPlanIndependent(plan.subject, 'text') },
    ...counts,
    { label: 'total', value: sql`count(*)` },
  ]);
  return sql`SELECT ${record} AS row ${subjects(plan)}`;
}
