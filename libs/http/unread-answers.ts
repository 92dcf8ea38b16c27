import type { Server } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { callerOf } from './caller';
import type { FastifyRequest } from './fastify';
import type { OpenRequests } from './open-requests';

/** How long a client may read nothing of its answer, in milliseconds. */
interface UnreadTimes {
  /** Limit for clients with a certificate or a token. For all other clients, the limit is `unknownMs`. */
  readonly knownMs: number;
  readonly unknownMs: number;
}

/**
 * If a client reads nothing of its answer for the time in `UnreadTimes`, closes the connection or the HTTP/2 stream.
 * Otherwise the answer would occupy a connection and memory.
 */
export class UnreadAnswers {
  private readonly known = new WeakSet<Socket>();

  constructor(private readonly times: UnreadTimes) {}

  admit(request: FastifyRequest): void {
    const { certname, token } = callerOf(request);
    if (certname !== undefined || token !== undefined) this.known.add(request.raw.socket);
  }

  watch(server: Server, open: OpenRequests): void {
    // Node.js restarts this timer whenever bytes are sent or received.
    server.timeout = this.times.unknownMs;
    server.on('timeout', (socket) => {
      // If the connection has no open request, there is no answer to read.
      if (!open.isBusy(socket)) socket.destroy();
      // If no bytes wait to be sent, the service is still working on the answer.
      else if (socket.writableLength > 0) {
        if (this.hasMoreTime(socket, socket.timeout)) socket.setTimeout(this.times.knownMs);
        else socket.destroy();
      }
    });
  }

  watchStream(stream: ServerHttp2Stream, socket: Socket): void {
    let timeout = this.times.unknownMs;
    stream.setTimeout(timeout);
    // Listens to the event `timeout`, because the callback of `setTimeout` is called only once. The time starts again
    // whenever bytes are sent.
    stream.on('timeout', () => {
      if (stream.bufferSize === 0) return;
      if (this.hasMoreTime(socket, timeout)) stream.setTimeout((timeout = this.times.knownMs));
      else stream.close(constants.NGHTTP2_CANCEL);
    });
  }

  private hasMoreTime(socket: Socket, waitedMs = Infinity): boolean {
    return waitedMs < this.times.knownMs && this.known.has(socket);
  }
}
