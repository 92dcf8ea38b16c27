import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limit of requests under way on one connection. HTTP/1.1 allows a client to send further requests before it has the
 * answer. Clients of this interface do not do that, and one that sends thousands would run as many queries.
 */
const mostAtOnce = 20;

/** The requests under way on each connection. */
export class OpenRequests {
  private readonly bySocket = new WeakMap<Socket, Set<ServerResponse>>();

  /** Returns whether a part of an answer was sent, so that no other answer is possible on the connection. */
  isAnswering(socket: Socket): boolean {
    return [...(this.bySocket.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /** Returns whether a request of the connection is not completely answered. */
  isBusy(socket: Socket): boolean {
    return (this.bySocket.get(socket)?.size ?? 0) > 0;
  }

  /** Counts requests before `handle` gets them, and closes a connection with too many. */
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
