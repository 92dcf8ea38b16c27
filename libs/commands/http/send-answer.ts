import { codeHeader, jsonType, type FastifyReply } from '#http';
import type { Submitted } from '../submit/submit-command';
import { answerOf } from './submission-answer';

/** Queries accept the value of this header in the request header `X-Nodeledger-Wait-For`. */
const positionHeader = 'x-nodeledger-position';

/** Call this function only after the record is durable, because the answer promises this. */
export async function sendAnswer(reply: FastifyReply, submitted: Submitted): Promise<void> {
  const { status, body, code } = answerOf(submitted);
  const { partition, offset } = submitted.position;
  await reply
    .status(status)
    .headers(code === undefined ? {} : codeHeader(code))
    .header('content-type', jsonType)
    .header(positionHeader, `${partition}-${offset}`)
    .send(JSON.stringify(body));
}
