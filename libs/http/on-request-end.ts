import type { Socket } from 'node:net';
import { isOver, onClose } from './answer-state';
import type { FastifyReply, FastifyRequest } from './fastify';

const openOn = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `over` once, when the answer is complete or its connection is closed. If the connection is closed while an
 * answer waits for an earlier answer, the answer emits no `close`. So this function also listens to the connection,
 * with one listener for all its requests.
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
