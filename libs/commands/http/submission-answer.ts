import { type FaultCode, isFaultCode } from '#fault';
import type { Submitted } from '../submit/submit-command';

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly code?: FaultCode;
}

/**
 * Returns the answer to a command. The status is 503 if the client waited, and the command was rejected or was not
 * processed in time.
 */
export function answerOf({ uuid, completion }: Submitted): Answer {
  if (completion === undefined) return { status: 200, body: { uuid } };
  const { processed } = completion;
  if (!processed) return { status: 503, body: { uuid, processed, timed_out: true } };
  if (completion.rejection === undefined) return { status: 200, body: { uuid, processed, timed_out: false } };
  const { error, exception } = completion.rejection;
  const [code = ''] = exception.split(':', 1);
  return {
    status: 503,
    body: { uuid, processed, timed_out: false, error, exception },
    code: isFaultCode(code) ? code : 'command.rejected',
  };
}
