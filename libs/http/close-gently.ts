import type { Socket } from 'node:net';
import { isHttp2, type RawAnswer } from './answer-state';

/** How long, and for how much more, a client that is refused is listened to. */
const most = { bytes: 64_000_000, ms: 5_000 };
const closing = new WeakSet<Socket>();

/**
 * Sends the last bytes of a connection and closes it, but goes on reading for a while what the client is still sending,
 * and drops it. A connection that is closed with unread bytes is reset, and a reset takes the answer with it: the client
 * would see a broken connection instead of what is wrong.
 */
export function closeGently(socket: Socket, last = '', { bytes, ms } = most): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  const start = socket.bytesRead;
  const timer = setTimeout(() => socket.destroy(), ms);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  // Whoever parsed these bytes before is not to see what follows.
  socket.removeAllListeners('data');
  socket.on('data', () => {
    if (socket.bytesRead - start > bytes) socket.destroy();
  });
  socket.once('end', () => socket.destroy());
  socket.end(last);
  socket.resume();
}

/** For an answer that goes out before the request has arrived: its connection ends with it, and ends gently. */
export function closesGently(response: RawAnswer): void {
  // Over HTTP/2 the connection goes on, and the rest of the request is dropped in any case.
  if (isHttp2(response)) return;
  const { socket } = response;
  if (socket === null) return;
  response.setHeader('connection', 'close');
  // What node calls when the last answer of a connection is written.
  socket.destroySoon = () => closeGently(socket);
}
