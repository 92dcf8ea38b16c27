import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from './fastify';
import { onRequestEnd } from './on-request-end';

const exchange = (): { socket: Socket; answer: ServerResponse; watch: (over: () => void) => void } => {
  const socket = new Socket();
  const raw = new IncomingMessage(socket);
  const answer = new ServerResponse(raw);
  const watch = (over: () => void): void =>
    onRequestEnd({ raw } as FastifyRequest, { raw: answer } as unknown as FastifyReply, over);
  return { socket, answer, watch };
};

test('tells at once that a request is over whose connection is gone already', () => {
  const { socket, watch } = exchange();
  socket.destroy();
  let ends = 0;
  watch(() => ends++);
  expect(ends).toBe(1);
});

test('tells once that a request is over, by its answer or its connection', () => {
  const { socket, answer, watch } = exchange();
  const ends = [0, 0];
  watch(() => ends[0]!++);
  expect(ends).toEqual([0, 0]);
  answer.emit('close');
  watch(() => ends[1]!++);
  socket.emit('close');
  socket.emit('close');
  expect(ends).toEqual([1, 1]);
});
