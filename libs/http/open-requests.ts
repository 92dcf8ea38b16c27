import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests that one connection may have under way. HTTP lets a client send the next request before it has the answer to
 * the last one; clients of this interface do not, and one that sends thousands would have as many queries run.
 */
const mostAtOnce = 20;

/** The answers that each connection waits for. */
export class OpenRequests {
  private readonly bySocket = new WeakMap<Socket, Set<ServerResponse>>();

  /** Whether part of an answer is out already, so that nothing else can be said on the connection. */
  isAnswering(socket: Socket): boolean {
    return [...(this.bySocket.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /** Whether a request of the connection is not answered completely. */
  isBusy(socket: Socket): boolean {
    return (this.bySocket.get(socket)?.size ?? 0) > 0;
  }

  /** Keeps what `handle` is given, and breaks a connection that sends too many requests at once. */
  kept(handle: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      const open = this.bySocket.get(socket) ?? new Set();
      this.bySocket.set(socket, open.add(response));
      response.once('close', () => open.delete(response));
      if (open.size > mostAtOnce) socket.destroy();
      else handle(request, response);
    };
  }
}
