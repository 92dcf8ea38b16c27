import { errorHeader, type FaultCode, isFaultCode } from '#fault';
import { timeUntilStream } from './event-stream';
import type { FastifyReply, FastifyRequest } from './fastify';
import { routeOf } from './route-name';

export interface Answer {
  /** Name of the route, as `routeOf` returns it. */
  readonly route: string;
  readonly status: number;
  /** Milliseconds from the headers of the request to the end of the answer, or to the beginning of an event stream. */
  readonly ms: number;
  /** Code of the fault in the answer. Absent if the answer contains no fault. */
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
