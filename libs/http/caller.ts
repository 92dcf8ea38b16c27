import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from './fastify';

/** Who sent a request, as far as that was checked. */
export interface Caller {
  /** The common name of the client certificate, which the server's certificate authority has signed. */
  readonly certname?: string;
  /** The name of the bearer token. */
  readonly token?: string;
  /** Commands are accepted for this node only. */
  readonly onlyCertname?: string;
}

const callers = new WeakMap<FastifyRequest, Caller>();

export const callerOf = (request: FastifyRequest): Caller => callers.get(request) ?? {};

export const setCaller = (request: FastifyRequest, caller: Caller): void => void callers.set(request, caller);

/** The name in the client certificate of the request's connection; undefined without a valid one. */
export function certnameOf({ raw: { socket } }: FastifyRequest): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const name: unknown = socket.getPeerCertificate().subject?.CN;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** For logs: `certificate web1.example.com`, `token dashboard`. */
export function callerName({ certname, token }: Caller): string | undefined {
  if (token !== undefined) return `token ${token}`;
  return certname === undefined ? undefined : `certificate ${certname}`;
}
