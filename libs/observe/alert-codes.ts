/**
 * Monitoring systems match these codes, so they must not change. docs/reliability.md describes the meaning, the effect
 * and the remedy of each alert.
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
  'storage.shortened',
  'tls.files',
  'tls.expiry',
  'authorization.file',
  'traces.unsent',
  'webhooks.failing',
  'webhooks.paused',
] as const;

export type AlertCode = (typeof alertCodes)[number];
