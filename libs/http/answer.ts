import { errorHeader, type FaultCode, isFaultCode } from '#fault';
import type { FastifyReply, FastifyRequest } from './fastify';
import { routeOf } from './route-name';

/** Result of a request. */
export interface Answer {
  /** See `routeOf`. */
  readonly route: string;
  readonly status: number;
  /** From the request's headers to the end of the answer. */
  readonly ms: number;
  /** Code of the fault in the answer. */
  readonly code?: FaultCode;
}

export function answerOf(request: FastifyRequest, reply: FastifyReply): Answer {
  const code = reply.getHeader(errorHeader);
  return {
    route: routeOf(request),
    status: reply.statusCode,
    ms: reply.elapsedTime,
    ...(typeof code === 'string' && isFaultCode(code) && { code }),
  };
}
