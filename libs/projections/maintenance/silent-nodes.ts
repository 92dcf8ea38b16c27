import { documentTimeColumns } from '../nodes/life-signs';

/** SQL: the time of the newest document of the node `n` that keeps it from expiring; null if there is none. */
const lastSent = `greatest(${documentTimeColumns().join(', ')})`;

/**
 * SQL: whether the node `n` is active, may expire, and has sent nothing since the time in the parameter `cutoff`. The same condition
 * as in `foldNodeExpiry`.
 */
export const hasSentNothingSince = (cutoff: string): string =>
  `n.deactivated IS NULL AND n.expired IS NULL AND n.expires_facts
   AND (${lastSent} < ${cutoff}::timestamptz) IS NOT FALSE`;

/**
 * SQL: whether the node `n` was deactivated or expired before the time in the parameter `cutoff`. The same condition as in
 * `foldNodePurge`.
 */
export const isInactiveSince = (cutoff: string): string =>
  `(n.deactivated < ${cutoff}::timestamptz OR n.expired < ${cutoff}::timestamptz)`;

/** SQL: the order in which inactive nodes are removed. */
export const longestInactiveFirst = 'least(n.deactivated, n.expired), n.certname';
