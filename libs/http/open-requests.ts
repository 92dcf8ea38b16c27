import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Largest number of unanswered requests on a connection. HTTP/1.1 allows a client to send further requests before it
 * gets an answer. Clients of this interface do not do this, but an attacker could start thousands of queries over one
 * connection.
 */
const mostAtOnce = 20;

export class OpenRequests {
  private readonly bySocket = new WeakMap<Socket, Set<ServerResponse>>();

  isAnswering(socket: Socket): boolean {
    return [...(this.bySocket.get(socket) ?? [])].some((response) => response.headersSent);
  }

  isBusy(socket: Socket): boolean {
    return (this.bySocket.get(socket)?.size ?? 0) > 0;
  }

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
