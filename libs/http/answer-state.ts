import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { finished } from 'node:stream/promises';
import { Http2Answer } from './http2/http2-answer';

/** The actual type of `reply.raw`. Fastify's types do not mention HTTP/2 answers. */
export type RawAnswer = ServerResponse | Http2Answer;

export const isHttp2 = (answer: RawAnswer): answer is Http2Answer => answer instanceof Http2Answer;

export function isWhole(answer: RawAnswer): boolean {
  if (!isHttp2(answer)) return answer.writableFinished;
  // `writableFinished` is also true for a stream that was reset.
  const { writableFinished, aborted, rstCode } = answer.stream;
  return writableFinished && !aborted && rstCode === constants.NGHTTP2_NO_ERROR;
}

export function isOver(answer: RawAnswer): boolean {
  return isHttp2(answer) ? answer.stream.destroyed || answer.stream.closed : (answer.req.socket?.destroyed ?? true);
}

/** Calls `listener` when nothing more of the answer will be sent, even if the answer is incomplete. */
export function onClose(answer: RawAnswer, listener: () => void): void {
  // Listens to the stream, because the answer emits no event after an aborted HEAD request.
  if (isHttp2(answer)) answer.stream.once('close', listener);
  else answer.once('close', listener);
}

/** Waits until the operating system has accepted the whole answer. Rejects if the answer is aborted. */
export async function whenWhole(answer: RawAnswer): Promise<void> {
  if (!isHttp2(answer)) return finished(answer);
  if (!answer.stream.destroyed) await new Promise<void>((resolve) => onClose(answer, resolve));
  if (!isWhole(answer)) throw new Error('The client ended the stream before the answer was complete.');
}

/** Asks the client, with this answer, to open another connection for further requests. */
export function endConnection(answer: RawAnswer): void {
  if (isHttp2(answer)) answer.stream.session?.close();
  else answer.setHeader('connection', 'close');
}

export interface ClientReading {
  /**
   * Returns the number of bytes that the operating system has accepted. Over HTTP/1.1, counts all bytes since the
   * connection was opened. Over HTTP/2, counts the bytes of this answer.
   */
  taken(): number;
  waiting(): boolean;
}

export function readingOf(answer: RawAnswer): ClientReading {
  if (isHttp2(answer)) {
    // Counts only the bytes of this stream, because the connection may be busy with other answers while this answer
    // waits for the client.
    return {
      taken: () => answer.writtenBytes - answer.stream.writableLength,
      waiting: () => answer.stream.writableLength > 0,
    };
  }
  const { socket } = answer.req;
  return {
    taken: () => socket.bytesWritten - socket.writableLength,
    waiting: () => socket.writableLength > 0,
  };
}
