import { errorHeader, type FaultCode, isFaultCode } from '#fault';
import { timeUntilStream } from './event-stream';
import type { FastifyReply, FastifyRequest } from './fastify';
import { routeOf } from './route-name';

export interface Answer {
  readonly route: string;
  readonly status: number;
  /**
   * Milliseconds from the headers of the request to the end of the answer. For an event stream, they end at the
   * beginning of the answer.
   */
  readonly ms: number;
  readonly code?: FaultCode;
}

export function answerOf(request: FastifyRequest, reply: FastifyReply): Answer {
  const code = reply.getHeader(errorHeader);
  return {
    route: routeOf(request),
    status: reply.statusCode,
    ms: timeUntilStream(reply) ?? reply.elapsedTime,
    ...(typeof code === 'string' && isFaultCode(code) && { code }),
  };
}
