import type { Socket } from 'node:net';
import { isOver, onClose } from './answer-state';
import type { FastifyReply, FastifyRequest } from './fastify';

const openOn = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `over` once, when the answer is complete or its connection is closed. Also listens to the connection, because
 * an answer emits no `close` if the connection is closed while the answer waits for an earlier answer. Each connection
 * has one listener for all requests.
 */
export function onRequestEnd({ raw: { socket } }: FastifyRequest, reply: FastifyReply, over: () => void): void {
  const open = openOn.get(socket) ?? listenTo(socket);
  const end = (): void => {
    if (open.delete(end)) over();
  };
  open.add(end);
  onClose(reply.raw, end);
  if (socket.destroyed || isOver(reply.raw)) end();
}

function listenTo(socket: Socket): Set<() => void> {
  const open = new Set<() => void>();
  openOn.set(socket, open);
  socket.once('close', () => {
    for (const end of [...open]) end();
  });
  return open;
}
