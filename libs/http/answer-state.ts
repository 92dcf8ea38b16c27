/** What became of an answer, over HTTP/1.1 (where it has a connection to itself) and over HTTP/2 (where it has a stream). */
import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { finished } from 'node:stream/promises';
import { Http2Answer } from './http2/http2-answer';

/** The framework declares that all answers are of the first kind. */
export type RawAnswer = ServerResponse | Http2Answer;

export const isHttp2 = (answer: RawAnswer): answer is Http2Answer => answer instanceof Http2Answer;

/** Whether all of it was sent. */
export function isWhole(answer: RawAnswer): boolean {
  if (!isHttp2(answer)) return answer.writableFinished;
  // A stream that is broken off counts as finished, too.
  const { writableFinished, aborted, rstCode } = answer.stream;
  return writableFinished && !aborted && rstCode === constants.NGHTTP2_NO_ERROR;
}

/** Whether nothing more can be sent. */
export function isOver(answer: RawAnswer): boolean {
  return isHttp2(answer) ? answer.stream.destroyed || answer.stream.closed : (answer.req.socket?.destroyed ?? true);
}

/** Calls `listener` when nothing more will be sent, whether all of it was or not. */
export function onClose(answer: RawAnswer, listener: () => void): void {
  // For HEAD requests that are broken off, the answer itself says nothing.
  if (isHttp2(answer)) answer.stream.once('close', listener);
  else answer.once('close', listener);
}

/** Resolves when the operating system has all of it. Rejects where it is broken off. */
export async function whenWhole(answer: RawAnswer): Promise<void> {
  if (!isHttp2(answer)) return finished(answer);
  if (!answer.stream.destroyed) await new Promise<void>((resolve) => onClose(answer, resolve));
  if (!isWhole(answer)) throw new Error('The client ended the stream before the answer was complete.');
}

/** Tells the client with its answer that it is to open another connection for further requests. */
export function endConnection(answer: RawAnswer): void {
  if (isHttp2(answer)) answer.stream.session?.close();
  else answer.setHeader('connection', 'close');
}

/** How far the client has taken what was sent to it. */
export interface ClientReading {
  /** Bytes that the operating system has taken for the client's connection, ever; over HTTP/2, for the answer. */
  taken(): number;
  /** True while there are bytes that it has not taken. */
  waiting(): boolean;
}

export function readingOf(answer: RawAnswer): ClientReading {
  if (isHttp2(answer)) {
    // The connection may be busy with other answers while this one waits for the client.
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
