import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { excerpt, Fault, type FaultCode } from '#fault';
import { isOver } from './answer-state';
import type { FastifyReply, FastifyRequest } from './fastify';
import { closesGently } from './close-gently';
import { type RequestIdentity, requestIdentity } from './request-identity';
import { routeOf } from './route-name';
import { answerFault, codeHeader, jsonType, textType, type FaultAnswer } from './fault-answer';

export interface FailedRequest {
  readonly method: string;
  /** The path is not logged, because it may contain values of facts. */
  readonly route: string;
  readonly identity: RequestIdentity;
}

/** Called with every unexpected error and every `broken` fault. */
export type FaultReport = (error: unknown, request: FailedRequest) => void;

/**
 * Called with unexpected errors and with faults of kind `broken` or `busy`. If this function returns a fault that
 * describes the cause, the client gets this fault, and the filter reports nothing.
 */
export type FaultExplanation = (error: unknown) => Fault | undefined;

export type PathHint = (path: string) => string | undefined;

@Catch()
export class FaultFilter implements ExceptionFilter {
  constructor(
    private readonly report: FaultReport,
    private readonly explain: FaultExplanation = () => undefined,
    private readonly hintFor: PathHint = () => undefined,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // If a part of the answer was sent, this method closes the connection, because only this tells the client that the
    // rest is missing. If the client has disconnected, nothing is sent, and nothing is reported, because the disconnect
    // may have caused the error.
    if (reply.raw.headersSent || isOver(reply.raw)) {
      reply.raw.destroy();
      return;
    }
    const answer = this.answer(error, request);
    if (!request.raw.complete) closesGently(reply.raw);
    void reply.status(answer.status).headers(answer.headers).send(answer.body);
  }

  private answer(error: unknown, request: FastifyRequest): FaultAnswer {
    if (error instanceof Fault) {
      const isOurs = error.kind === 'broken' || error.kind === 'busy';
      const explained = isOurs ? this.explain(error) : undefined;
      if (explained === undefined && error.kind === 'broken') this.report(error, failed(request));
      return answerFault(explained ?? error);
    }
    const status = statusOf(error);
    if (status === 404) return this.unknownRoute(request.url);
    if (status !== undefined && status < 500) return plain(status, 'http.request', excerpt(messageOf(error)));
    const explained = this.explain(error);
    if (explained !== undefined) return answerFault(explained);
    this.report(error, failed(request));
    return plain(500, 'http.broken', 'The service failed to process the request; see its log.');
  }

  private unknownRoute(url: string): FaultAnswer {
    const path = url.split('?', 1)[0] ?? url;
    const hint = this.hintFor(path);
    return {
      status: 404,
      headers: { ...codeHeader('http.not-found'), 'content-type': jsonType },
      body: JSON.stringify({ message: 'Not Found', status: '404', url: excerpt(path), ...(hint && { hint }) }),
    };
  }
}

const failed = (request: FastifyRequest): FailedRequest => ({
  method: request.method,
  route: routeOf(request),
  identity: requestIdentity(request),
});

/**
 * Returns the status of an error of Fastify, for example 404 for an unknown route. Returns undefined for other errors.
 */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown };
  const found = statusCode ?? status;
  return typeof found === 'number' && found >= 400 ? found : undefined;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const plain = (status: number, code: FaultCode, body: string): FaultAnswer => ({
  status,
  headers: { ...codeHeader(code), 'content-type': textType },
  body,
});
