import { EventEmitter } from 'node:events';
import { constants, type Http2Session } from 'node:http2';
import { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { UnreadAnswers } from '../unread-answers';
import { watchSession } from './watch-session';

test('a client that takes back requests before the service sees them is disconnected', () => {
  const codes: (number | undefined)[] = [];
  const session = Object.assign(new EventEmitter(), {
    destroy: (_: undefined, code?: number) => void codes.push(code),
  });
  const unread = new UnreadAnswers({ knownMs: 1_000, unknownMs: 1_000 });
  const times = { firstMs: 60_000, idleMs: 60_000, unread };
  const socket = new Socket();
  watchSession(session as unknown as Http2Session, socket as TLSSocket, times);
  const take = (): boolean => session.emit('stream', { destroyed: true });
  for (let count = 0; count < 200; count++) take();
  expect(codes).toEqual([]);
  for (let count = 0; count < 100; count++) take();
  expect(codes).toContain(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  // Stops the timer for idle connections.
  socket.emit('close');
});
