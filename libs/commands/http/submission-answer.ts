import type { Submitted } from '../submit/submit-command';

/** What a client that waited is told; 503 tells it to look again or to send again. */
export function answerOf({ uuid, completion }: Submitted): { status: number; body: object } {
  if (completion === undefined) return { status: 200, body: { uuid } };
  const { processed } = completion;
  if (!processed) return { status: 503, body: { uuid, processed, timed_out: true } };
  if (completion.rejection === undefined) return { status: 200, body: { uuid, processed, timed_out: false } };
  const { error, exception } = completion.rejection;
  return { status: 503, body: { uuid, processed, timed_out: false, error, exception } };
}
