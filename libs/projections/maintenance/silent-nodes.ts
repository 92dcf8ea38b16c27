import { documentTimeColumns } from '../nodes/life-signs';

/** SQL of the time of the newest document that keeps the node `n` from expiring; null if there is none. */
const lastSent = `greatest(${documentTimeColumns().join(', ')})`;

/**
 * Returns SQL of whether the node `n` is active, may expire, and has sent no document since the parameter `cutoff`. The
 * condition is the same as in `foldNodeExpiry`.
 */
export const hasSentNothingSince = (cutoff: string): string =>
  `n.deactivated IS NULL AND n.expired IS NULL AND n.expires_facts
   AND (${lastSent} < ${cutoff}::timestamptz) IS NOT FALSE`;

/**
 * Returns SQL of whether the node `n` was deactivated or expired before the parameter `cutoff`. The condition is the
 * same as in `foldNodePurge`.
 */
export const isInactiveSince = (cutoff: string): string =>
  `(n.deactivated < ${cutoff}::timestamptz OR n.expired < ${cutoff}::timestamptz)`;

/** SQL of the order in which inactive nodes are purged. */
export const longestInactiveFirst = 'least(n.deactivated, n.expired), n.certname';
