import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from './fastify';

export interface Caller {
  /** Whether the connection uses TLS. */
  readonly secure: boolean;
  /** Common name of the client's certificate. Present only if the service has verified the certificate. */
  readonly certname?: string;
  /** Name of the bearer token. Absent if the request has no token. */
  readonly token?: string;
  /** The only node for which the caller may submit commands. Absent if there is no such restriction. */
  readonly onlyCertname?: string;
}

const connections = new WeakMap<TLSSocket, Caller>();
const admitted = new WeakMap<FastifyRequest, Caller>();

/** Returns the caller that `setCaller` has stored. Without a stored caller, returns the caller of the connection. */
export function callerOf(request: FastifyRequest): Caller {
  const found = admitted.get(request);
  if (found !== undefined) return found;
  const { socket } = request.raw;
  if (!(socket instanceof TLSSocket)) return { secure: false };
  const caller = connections.get(socket) ?? secureCaller(socket);
  connections.set(socket, caller);
  return caller;
}

export const setCaller = (request: FastifyRequest, caller: Caller): void => void admitted.set(request, caller);

/**
 * Describes the caller for logs: `certificate web1.example.com`, `token dashboard`, or `certificate web1.example.com
 * with the token dashboard`. Returns undefined if the caller has neither a certificate nor a token.
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
