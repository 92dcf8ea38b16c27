import type { Socket } from 'node:net';
import { isHttp2, type RawAnswer } from './answer-state';

/** How many bytes are read from a client that is refused, and for how many milliseconds. */
const most = { bytes: 64_000_000, ms: 5_000 };
const closing = new WeakSet<Socket>();

/**
 * Sends the last bytes of a connection and closes it. For a while, reads and drops the data that the client still
 * sends, because closing a connection with unread bytes resets it. The client would then see a broken connection
 * instead of the answer.
 */
export function closeGently(socket: Socket, last = '', { bytes, ms } = most): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  const start = socket.bytesRead;
  const timer = setTimeout(() => socket.destroy(), ms);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  // The HTTP parser must not see the remaining bytes.
  socket.removeAllListeners('data');
  socket.on('data', () => {
    if (socket.bytesRead - start > bytes) socket.destroy();
  });
  socket.once('end', () => socket.destroy());
  socket.end(last);
  socket.resume();
}

/** Prepares the connection for an answer that is sent before the whole request has arrived. */
export function closesGently(response: RawAnswer): void {
  // Over HTTP/2, the connection stays open, and the rest of the request is dropped.
  if (isHttp2(response)) return;
  const { socket } = response;
  if (socket === null) return;
  response.setHeader('connection', 'close');
  // After the last answer of a connection, Node.js calls `destroySoon`.
  socket.destroySoon = () => closeGently(socket);
}
