import { documentTimeColumns } from '../nodes/life-signs';

/** SQL expression for the time of the newest document that keeps the node `n` from expiring; null if there is none. */
const lastSent = `greatest(${documentTimeColumns().join(', ')})`;

/**
 * Returns the SQL condition that the node `n` is active, may expire, and has sent no document since the parameter
 * `cutoff`. The search for due nodes and the projector share this condition.
 */
export const hasSentNothingSince = (cutoff: string): string =>
  `n.deactivated IS NULL AND n.expired IS NULL AND n.expires_facts
   AND (${lastSent} < ${cutoff}::timestamptz) IS NOT FALSE`;

/** Returns the SQL condition that the node `n` was deactivated or expired before the parameter `cutoff`. */
export const isInactiveSince = (cutoff: string): string =>
  `(n.deactivated < ${cutoff}::timestamptz OR n.expired < ${cutoff}::timestamptz)`;

/** SQL for the order in which inactive nodes are purged. */
export const longestInactiveFirst = 'least(n.deactivated, n.expired), n.certname';
