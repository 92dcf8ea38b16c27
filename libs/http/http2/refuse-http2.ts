import { performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Fault } from '#fault';
import { lastHeaders } from '../client-errors';
import { answerFault } from '../fault-answer';

/**
 * Answers the first request of a connection with the reason why the client is refused. Closes the connection after `ms`
 * at the latest.
 */
export function refuseHttp2(socket: TLSSocket, fault: Fault, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms).unref();
  socket.once('close', () => clearTimeout(timer));
  const session = performServerHandshake(socket, { settings: { maxConcurrentStreams: 1 } });
  session.on('error', () => socket.destroy());
  session.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => undefined);
    const { status, body } = answerFault(fault);
    stream.respond({ ':status': status, ...lastHeaders({ code: fault.code, text: body }) });
    stream.end(body);
    session.close();
  });
}
