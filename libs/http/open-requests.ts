import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Largest number of unanswered requests on one connection. HTTP/1.1 allows a client to send further requests before it
 * gets an answer. Clients of this interface do not use this feature. Without a limit, one connection could start
 * thousands of queries.
 */
const mostAtOnce = 20;

/** The unanswered requests on each connection. */
export class OpenRequests {
  private readonly bySocket = new WeakMap<Socket, Set<ServerResponse>>();

  /** Returns whether a part of an answer was sent, so that no other answer is possible on the connection. */
  isAnswering(socket: Socket): boolean {
    return [...(this.bySocket.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /** Returns whether the connection has a request whose answer is incomplete. */
  isBusy(socket: Socket): boolean {
    return (this.bySocket.get(socket)?.size ?? 0) > 0;
  }

  /** Returns a handler that counts requests before `handle` gets them. Closes a connection that has too many. */
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
