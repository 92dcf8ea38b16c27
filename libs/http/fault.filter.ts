import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { excerpt, Fault, type FaultCode } from '#fault';
import { isOver } from './answer-state';
import type { FastifyReply, FastifyRequest } from './fastify';
import { closesGently } from './close-gently';
import { type RequestIdentity, requestIdentity } from './request-identity';
import { routeOf } from './route-name';
import { answerFault, codeHeader, jsonType, textType, type FaultAnswer } from './fault-answer';

/** Which request failed, as logs may name it. */
export interface FailedRequest {
  readonly method: string;
  /** The name of its route: the path itself may hold values of facts. */
  readonly route: string;
  readonly identity: RequestIdentity;
}

/** Told about every error that no one expected, and every `broken` fault. */
export type FaultReport = (error: unknown, request: FailedRequest) => void;

/**
 * Asked about the same errors and about every `busy` fault, first: where it knows more of the cause, what it gives is
 * answered instead, and nothing is reported.
 */
export type FaultExplanation = (error: unknown) => Fault | undefined;

/** Says where a path that no route has may be found; undefined where there is nothing to say. */
export type PathHint = (path: string) => string | undefined;

/** Turns every error that a handler or the framework throws into an answer. */
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
    // Half an answer is out: only a broken connection tells the client that the rest is missing. Or nobody is there to be
    // answered, and whatever failed, failed because of that.
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

/** The framework's own errors (unknown route, body too large) carry a status. */
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
