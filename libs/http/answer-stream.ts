import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { type ClientReading, isWhole, readingOf, whenWhole } from './answer-state';
import type { FastifyReply } from './fastify';
import { onRequestEnd } from './on-request-end';

/**
 * Answers up to this many characters are sent only when they are complete, so that a late error can still change the
 * status.
 */
const wholeUpToCharacters = 32_768;
/**
 * Number of characters in each piece that is sent to the socket. Because pieces are small, the service can measure how
 * much a slow client has read.
 */
const pieceCharacters = 32 << 10;
/**
 * Number of characters after which sending pauses for a moment, so that other requests proceed. Without this pause, a
 * client that reads fast would occupy the main thread.
 */
const charactersBeforePause = 512 << 10;

/**
 * Sends text chunks as the source yields them. Reads no more chunks while the client does not read, so memory contains
 * only one chunk and one or two pieces. Waits until the operating system has accepted the whole answer. Throws the
 * errors of the source. If nothing was sent before the error, the caller can answer with an error status. Otherwise
 * this function closes the connection, so that the client sees an incomplete answer. If the client disconnects or the
 * reply is destroyed, calls `return` of the source.
 */
export async function answerStream(reply: FastifyReply, chunks: AsyncIterable<string>): Promise<void> {
  const source = chunks[Symbol.asyncIterator]();
  let head = '';
  while (head.length < wholeUpToCharacters) {
    const next = await source.next();
    if (next.done === true) {
      await reply.send(head);
      return;
    }
    head += next.value;
  }
  let failure: { readonly error: unknown } | undefined;
  const pieces = inPieces([head], source, (error) => (failure = { error }));
  // Drops the reference to the text, so that its memory can be freed while its bytes are sent.
  head = '';
  const body = Readable.from(pieces, { objectMode: false, highWaterMark: pieceCharacters });
  const sent = whenWhole(reply.raw);
  void reply.send(body);
  try {
    await sent;
  } catch (error) {
    throw failure === undefined ? error : failure.error;
  }
}

export function answerText(reply: FastifyReply, text: string | Generator<string>): Promise<void> {
  return answerStream(reply, inOrder(typeof text === 'string' ? [text] : text));
}

/**
 * While the client does not read, reads no more pieces. If the source throws, closes the connection, so that the client
 * sees an incomplete answer. Waits until the operating system has accepted the whole answer.
 */
export async function answerBytes(reply: FastifyReply, pieces: AsyncIterable<Buffer>, bytes: number): Promise<void> {
  const sent = whenWhole(reply.raw);
  void reply.header('content-length', bytes).send(Readable.from(pieces, { objectMode: false, highWaterMark: 1 }));
  await sent;
}

async function* inOrder(texts: Iterable<string>): AsyncGenerator<string> {
  yield* texts;
}

async function* inPieces(
  texts: string[],
  source: AsyncIterator<string>,
  failed: (error: unknown) => void,
): AsyncGenerator<string> {
  let sincePause = 0;
  try {
    for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
      // Encodes each piece separately, so that a long text is never in memory both as text and as bytes.
      for (let at = 0, end = 0; at < text.length; at = end) {
        end = endOfPiece(text, at);
        yield text.slice(at, end);
        sincePause += end - at;
        if (sincePause < charactersBeforePause) continue;
        sincePause = 0;
        await turn();
      }
      text = undefined;
      const next = await source.next();
      if (next.done !== true) texts.push(next.value);
    }
  } catch (error) {
    failed(error);
    throw error;
  } finally {
    await source.return?.();
  }
}

/** Never splits a surrogate pair, because each half alone would be encoded as an unknown character. */
function endOfPiece(text: string, at: number): number {
  const end = at + pieceCharacters;
  return end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end + 1 : end;
}

/**
 * The signal aborts if the client disconnects before its answer is complete, even while the connection still sends
 * answers to earlier requests.
 */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  onRequestEnd(reply.request, reply, () => {
    if (!isWhole(reply.raw)) controller.abort(new Error('the client closed the connection'));
  });
  return controller.signal;
}

export const clientReading = (reply: FastifyReply): ClientReading => readingOf(reply.raw);
