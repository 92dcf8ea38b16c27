import { codeHeader, jsonType, type FastifyReply } from '#http';
import type { Submitted } from '../submit/submit-command';
import { answerOf } from './submission-answer';

/**
 * Name of the response header with the position of the command in the log. Queries accept the value in the request
 * header `X-Nodeledger-Wait-For`.
 */
const positionHeader = 'x-nodeledger-position';

/** Answers a submission. The record must be durable. */
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
