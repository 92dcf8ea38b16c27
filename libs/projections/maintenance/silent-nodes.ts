import { documentTimeColumns } from '../nodes/life-signs';

/** Time of the newest document that keeps the node `n` from expiring. Null if there is none. */
const lastSent = `greatest(${documentTimeColumns().join(', ')})`;

/** SQL condition that the node `n` is active, can expire, and has sent no document since `cutoff`. */
export const hasSentNothingSince = (cutoff: string): string =>
  `n.deactivated IS NULL AND n.expired IS NULL AND n.expires_facts
   AND (${lastSent} < ${cutoff}::timestamptz) IS NOT FALSE`;

export const isInactiveSince = (cutoff: string): string =>
  `(n.deactivated < ${cutoff}::timestamptz OR n.expired < ${cutoff}::timestamptz)`;

export const longestInactiveFirst = 'least(n.deactivated, n.expired), n.certname';
