import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from './fastify';

/** The sender of a request. */
export interface Caller {
  /** Whether the connection is encrypted. */
  readonly secure: boolean;
  /** The common name of the client's certificate, which the service has verified. */
  readonly certname?: string;
  /** The name of the bearer token. */
  readonly token?: string;
  /** If present, the caller may submit commands only for this node. */
  readonly onlyCertname?: string;
}

const connections = new WeakMap<TLSSocket, Caller>();
const admitted = new WeakMap<FastifyRequest, Caller>();

/** Returns the caller that `setCaller` has stored, or else the one of the connection. */
export function callerOf(request: FastifyRequest): Caller {
  const found = admitted.get(request);
  if (found !== undefined) return found;
  const { socket } = request.raw;
  if (!(socket instanceof TLSSocket)) return { secure: false };
  const caller = connections.get(socket) ?? secureCaller(socket);
  connections.set(socket, caller);
  return caller;
}

/** Stores the caller of a request. */
export const setCaller = (request: FastifyRequest, caller: Caller): void => void admitted.set(request, caller);

/**
 * Describes the caller for logs: `certificate web1.example.com`, `token dashboard`, `certificate web1.example.com with
 * the token dashboard`. Undefined if the request has neither.
 */
export function callerName({ certname, token }: Omit<Caller, 'secure'>): string | undefined {
  if (certname === undefined) return token === undefined ? undefined : `token ${token}`;
  return `certificate ${certname}${token === undefined ? '' : ` with the token ${token}`}`;
}

function secureCaller(socket: TLSSocket): Caller {
  // Only a verified certificate has a trustworthy name.
  const names: string | string[] | undefined = socket.authorized ? socket.getPeerCertificate().subject?.CN : undefined;
  // PuppetDB uses the first of several names.
  const certname = Array.isArray(names) ? names[0] : names;
  return { secure: true, ...(certname === undefined ? {} : { certname }) };
}
