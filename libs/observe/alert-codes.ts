/**
 * The trouble that an operator is told about. Codes are stable, because monitoring matches them; docs/reliability.md says
 * of each what it means, what still works and what to do.
 */
export const alertCodes = [
  'database.unreachable',
  'database.read-only',
  'database.full',
  'database.disk-low',
  'log.unavailable',
  'projector.ended',
  'projector.stalled',
  'clock.skew',
  'cleaning.failing',
  'snapshot.failing',
  'dead-letters.files',
  'tls.files',
  'tls.expiry',
  'authorization.file',
  'metrics.policy',
  'traces.unsent',
] as const;

export type AlertCode = (typeof alertCodes)[number];
