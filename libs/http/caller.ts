import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from './fastify';

/** Who sends a request, as far as its connection tells. */
export interface Caller {
  /** Whether the connection is encrypted. */
  readonly secure: boolean;
  /** The common name of the client's certificate, which an authority of this service has signed. */
  readonly certname?: string;
}

const known = new WeakMap<TLSSocket, Caller>();

export function callerOf({ raw: { socket } }: FastifyRequest): Caller {
  if (!(socket instanceof TLSSocket)) return { secure: false };
  const caller = known.get(socket) ?? secureCaller(socket);
  known.set(socket, caller);
  return caller;
}

function secureCaller(socket: TLSSocket): Caller {
  // Without a certificate the socket says nothing that could be trusted, whatever it was sent.
  const names: string | string[] | undefined = socket.authorized ? socket.getPeerCertificate().subject?.CN : undefined;
  // PuppetDB takes the first of several names.
  const certname = Array.isArray(names) ? names[0] : names;
  return { secure: true, ...(certname === undefined ? {} : { certname }) };
}
