/** The state of an answer, over HTTP/1.1 (on a connection) and over HTTP/2 (on a stream). */
import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { finished } from 'node:stream/promises';
import { Http2Answer } from './http2/http2-answer';

/** Fastify declares all answers as HTTP/1.1. */
export type RawAnswer = ServerResponse | Http2Answer;

export const isHttp2 = (answer: RawAnswer): answer is Http2Answer => answer instanceof Http2Answer;

/** Returns whether the whole answer was sent. */
export function isWhole(answer: RawAnswer): boolean {
  if (!isHttp2(answer)) return answer.writableFinished;
  // A stream that was reset counts as finished, too.
  const { writableFinished, aborted, rstCode } = answer.stream;
  return writableFinished && !aborted && rstCode === constants.NGHTTP2_NO_ERROR;
}

/** Returns whether nothing more can be sent. */
export function isOver(answer: RawAnswer): boolean {
  return isHttp2(answer) ? answer.stream.destroyed || answer.stream.closed : (answer.req.socket?.destroyed ?? true);
}

/** Calls `listener` when nothing more will be sent, whether the answer is complete or not. */
export function onClose(answer: RawAnswer, listener: () => void): void {
  // After an aborted HEAD request, the answer emits no event.
  if (isHttp2(answer)) answer.stream.once('close', listener);
  else answer.once('close', listener);
}

/** Resolves when the operating system has the whole answer. Rejects if the answer is aborted. */
export async function whenWhole(answer: RawAnswer): Promise<void> {
  if (!isHttp2(answer)) return finished(answer);
  if (!answer.stream.destroyed) await new Promise<void>((resolve) => onClose(answer, resolve));
  if (!isWhole(answer)) throw new Error('The client ended the stream before the answer was complete.');
}

/** Tells the client with its answer to open another connection for further requests. */
export function endConnection(answer: RawAnswer): void {
  if (isHttp2(answer)) answer.stream.session?.close();
  else answer.setHeader('connection', 'close');
}

/** How much of the answer the client has read. */
export interface ClientReading {
  /**
   * Bytes that the operating system has accepted for the client's connection since it was opened; over HTTP/2, for the
   * answer.
   */
  taken(): number;
  /** True while it has not accepted all bytes. */
  waiting(): boolean;
}

export function readingOf(answer: RawAnswer): ClientReading {
  if (isHttp2(answer)) {
    // Other answers may use the connection while this one waits for the client.
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
