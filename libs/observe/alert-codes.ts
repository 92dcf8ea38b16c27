/**
 * Codes of alerts. They are stable, because monitoring matches them. docs/reliability.md describes their meaning, effect
 * and remedy.
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
  'log.over-limit',
  'tls.files',
  'tls.expiry',
  'authorization.file',
  'traces.unsent',
] as const;

export type AlertCode = (typeof alertCodes)[number];
