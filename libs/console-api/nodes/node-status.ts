import { bindPlanIndependent, type Fragment, queryTime, sql } from '#query';

/** The least severe status comes first. SQL uses the indexes of this list instead of the names. */
export const nodeStatuses = ['unchanged', 'changed', 'noop', 'unreported', 'failed'] as const;
export type NodeStatus = (typeof nodeStatuses)[number];

export const isNodeStatus = (text: unknown): text is NodeStatus => (nodeStatuses as readonly unknown[]).includes(text);

/** Returns SQL for the index of a node's status. `n` is the row of the node. */
export const statusSql = (unreportedAfterMs: number): Fragment => sql`CASE
    WHEN n.report_timestamp IS NULL
      OR n.report_timestamp < ${queryTime} - make_interval(secs => ${bindPlanIndependent(String(unreportedAfterMs / 1000), 'numeric')}::double precision)
      THEN ${indexOf('unreported')}
    WHEN n.latest_report_status = 'failed' THEN ${indexOf('failed')}
    WHEN n.latest_report_noop THEN ${indexOf('noop')}
    WHEN n.latest_report_status = 'changed' THEN ${indexOf('changed')}
    ELSE ${indexOf('unchanged')} END`;

const digits = [sql`0`, sql`1`, sql`2`, sql`3`, sql`4`] as const;
export const indexOf = (status: NodeStatus): Fragment => digits[nodeStatuses.indexOf(status)]!;

export const statusName = (index: Fragment): Fragment =>
  sql`(${bindPlanIndependent([...nodeStatuses], 'text[]')})[${index} + 1]`;
