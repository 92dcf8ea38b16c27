import type { Server } from 'node:https';
import type { TlsOptions, TLSSocket } from 'node:tls';
import type { Fault } from '#fault';
import { rawAnswer } from './client-errors';
import { closeGently } from './close-gently';
import { answerFault } from './fault-answer';
import type { Http2Connections } from './http2/http2-connections';
import { refuseHttp2 } from './http2/refuse-http2';

export interface ListenerTls {
  /**
   * In these options, `requestCert` must be true and `rejectUnauthorized` must be false. Otherwise `refusal` could not
   * answer clients with an invalid certificate.
   */
  readonly options: TlsOptions;
  attach(server: Server): void;
  refusal(socket: TLSSocket): Fault | undefined;
}

/** Called if a client is refused or its handshake fails. */
export type RefusedConnection = (reason: string, address: string | undefined) => void;

/**
 * How many bytes are read from a refused client before its connection is closed, and for how many milliseconds. If
 * nothing was read, the client might not get the answer.
 */
const gently = { bytes: 1_000_000, ms: 2_000 };

/** Clients that do not choose a protocol use HTTP/1.1. */
export const protocols = ['h2', 'http/1.1'];

/** Checks each connection of a server after the handshake. If a client is refused, its requests are not read. */
export function guardConnections(
  server: Server,
  tls: ListenerTls,
  http2: Http2Connections,
  refused: RefusedConnection,
): void {
  const serve = server.listeners('secureConnection') as ((this: Server, socket: TLSSocket) => void)[];
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket) => {
    let fault: Fault | undefined;
    try {
      fault = tls.refusal(socket);
    } catch (error) {
      // This error must not crash the service.
      refused(`its certificate cannot be read: ${String(error)}`, socket.remoteAddress);
      socket.destroy();
      return;
    }
    const isHttp2 = socket.alpnProtocol === 'h2';
    if (fault === undefined && isHttp2) {
      http2.accept(socket);
      return;
    }
    if (fault === undefined) {
      for (const one of serve) one.call(server, socket);
      return;
    }
    refused(fault.message, socket.remoteAddress);
    if (isHttp2) {
      refuseHttp2(socket, fault, gently.ms);
      return;
    }
    const { status, body } = answerFault(fault);
    closeGently(socket, rawAnswer({ status, code: fault.code, text: body }), gently);
  });
  // No answer can be sent, because the handshake is not complete.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    refused(error.code ?? error.message, socket.remoteAddress);
    socket.destroy();
  });
}
