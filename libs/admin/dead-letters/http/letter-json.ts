import type { LetterSummary } from '#projections';

export type Letter = ReturnType<typeof letterJson>;

export const letterJson = (letter: LetterSummary) => ({
  name: letter.name,
  uuid: letter.uuid,
  command: letter.command,
  version: letter.version,
  certname: letter.certname,
  received_at: letter.receivedAt,
  rejected_at: letter.rejectedAt,
  last_rejected_at: letter.lastRejectedAt,
  retried_at: letter.retriedAt,
  attempts: letter.attempts,
  error: letter.error,
  exception: letter.exception,
  encoding: letter.encoding,
  payload_bytes: letter.payloadBytes,
  headers: letter.headers,
});
