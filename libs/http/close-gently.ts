import type { Socket } from 'node:net';
import { isHttp2, type RawAnswer } from './answer-state';

/** Limits for reading from a refused client. */
const most = { bytes: 64_000_000, ms: 5_000 };
const closing = new WeakSet<Socket>();

/**
 * Sends the last bytes of a connection and closes it, but reads and drops for a while what the client is still sending.
 * Closing a connection with unread bytes resets it, and the client would see a broken connection instead of the answer.
 */
export function closeGently(socket: Socket, last = '', { bytes, ms } = most): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  const start = socket.bytesRead;
  const timer = setTimeout(() => socket.destroy(), ms);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  // The parser must not see the rest.
  socket.removeAllListeners('data');
  socket.on('data', () => {
    if (socket.bytesRead - start > bytes) socket.destroy();
  });
  socket.once('end', () => socket.destroy());
  socket.end(last);
  socket.resume();
}

/** For an answer before the request has arrived: closes the connection gently after the answer. */
export function closesGently(response: RawAnswer): void {
  // Over HTTP/2, the connection stays open, and the rest of the request is dropped.
  if (isHttp2(response)) return;
  const { socket } = response;
  if (socket === null) return;
  response.setHeader('connection', 'close');
  // Node.js calls this when the last answer of a connection is written.
  socket.destroySoon = () => closeGently(socket);
}
