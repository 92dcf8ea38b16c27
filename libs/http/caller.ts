import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from './fastify';

export interface Caller {
  readonly secure: boolean;
  /** Common name of the client's certificate. Absent if the service has not verified a certificate. */
  readonly certname?: string;
  readonly token?: string;
  /** The only node for which the caller may submit commands. Absent if there is no such restriction. */
  readonly onlyCertname?: string;
}

const connections = new WeakMap<TLSSocket, Caller>();
const admitted = new WeakMap<FastifyRequest, Caller>();

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

/** Returns a name for messages and the audit log, such as `certificate web1.example.com with the token dashboard`. */
export function callerName({ certname, token }: Omit<Caller, 'secure'>): string | undefined {
  if (certname === undefined) return token === undefined ? undefined : `token ${token}`;
  return `certificate ${certname}${token === undefined ? '' : ` with the token ${token}`}`;
}

function secureCaller(socket: TLSSocket): Caller {
  // Reads the name only from a verified certificate, because other certificates can contain any name.
  const names: string | string[] | undefined = socket.authorized ? socket.getPeerCertificate().subject?.CN : undefined;
  // PuppetDB uses the first of several names.
  const certname = Array.isArray(names) ? names[0] : names;
  return { secure: true, ...(certname === undefined ? {} : { certname }) };
}
