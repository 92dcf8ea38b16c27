import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { noSpan, readTraceParent, showTraceParent, type Span, type Tracing } from '#observe';
import { isWhole, onClose } from './answer-state';
import type { FastifyRequest } from './fastify';
import { otherRoute, routeOf } from './route-name';

export interface RequestIdentity {
  readonly id: string;
  /** Undefined if the request is not traced. */
  readonly traceId: string | undefined;
  readonly span: Span;
}

const idHeader = 'x-request-id';
const traceHeader = 'traceparent';
/**
 * An id from a client is used only if it has this form, in which no character has a special meaning in logs, shells or
 * web pages. Otherwise the service uses a UUID instead.
 */
const harmless = /^[A-Za-z0-9._:+=@/-]{1,128}$/;

const identities = new WeakMap<IncomingMessage, RequestIdentity>();
const unknown: RequestIdentity = { id: '', traceId: undefined, span: noSpan };

export const requestIdentity = ({ raw }: FastifyRequest): RequestIdentity => identities.get(raw) ?? unknown;

export const identityFields = ({ id, traceId }: RequestIdentity): { requestId: string; traceId?: string } => ({
  requestId: id,
  ...(traceId === undefined ? {} : { traceId }),
});

export function traceRoute(request: FastifyRequest): void {
  const route = routeOf(request);
  if (route !== otherRoute) requestIdentity(request).span.set({ 'http.route': route });
}

export function identified(handle: RequestListener, tracing: Tracing): RequestListener {
  return (request, response) => {
    const { headers, method = '' } = request;
    const given = headers[idHeader];
    const id = typeof given === 'string' && harmless.test(given) ? given : randomUUID();
    const parent = readTraceParent(headers[traceHeader]);
    const attributes = { 'http.request.method': method, 'nodeledger.request.id': id };
    const span = tracing.on ? tracing.start(method, { serves: true, parent, attributes }) : noSpan;
    const current = span.context ?? parent;
    identities.set(request, { id, traceId: current?.traceId, span });
    response.setHeader(idHeader, id);
    if (current !== undefined) response.setHeader(traceHeader, showTraceParent(current));
    if (tracing.on) {
      onClose(response, () => {
        const { statusCode } = response;
        span.set({ 'http.response.status_code': statusCode });
        span.end(isWhole(response) ? (statusCode >= 500 ? String(statusCode) : undefined) : 'gone');
      });
    }
    handle(request, response);
  };
}
