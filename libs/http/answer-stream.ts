import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { type ClientReading, isWhole, readingOf, whenWhole } from './answer-state';
import type { FastifyReply } from './fastify';
import { onRequestEnd } from './on-request-end';

/** A shorter answer is collected and sent at once, so that a late error can still become a status. */
const wholeUpToCharacters = 32_768;
/** Size of the pieces for the socket. Small enough to see how much a slow client has read. */
const pieceCharacters = 32 << 10;
/**
 * The function pauses after this many characters, so that other requests proceed. If the client reads fast, the socket
 * never makes it wait.
 */
const turnCharacters = 512 << 10;

/**
 * Sends text chunks as they come, and holds back the source while the client does not read: memory holds one chunk and
 * one or two pieces. Resolves when the operating system has the whole answer. Throws an error of the source. If nothing
 * was sent before, the error can become a status; otherwise the connection is broken off, so that the client sees an
 * incomplete answer. If the client disconnects or the reply is destroyed, the source is ended (`return`).
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
  // Frees the text while its bytes are sent.
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

/** Sends a text, or texts as they are made, like `answerStream`. Resolves when the operating system has all of it. */
export function answerText(reply: FastifyReply, text: string | Generator<string>): Promise<void> {
  return answerStream(reply, inOrder(typeof text === 'string' ? [text] : text));
}

/**
 * Sends bytes as they come, and holds back the source while the client does not read. An error of the source breaks the
 * connection off, so that the client sees an incomplete answer. Resolves when the operating system has the whole answer.
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
  let sinceTurn = 0;
  try {
    for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
      // Each piece is encoded separately, so that a long text is never in memory twice, as text and as bytes.
      for (let at = 0, end = 0; at < text.length; at = end) {
        end = endOfPiece(text, at);
        yield text.slice(at, end);
        sinceTurn += end - at;
        if (sinceTurn < turnCharacters) continue;
        sinceTurn = 0;
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
 * Returns a signal that aborts if the client disconnects before its answer is complete, also while answers to earlier
 * requests on the connection are being sent.
 */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  onRequestEnd(reply.request, reply, () => {
    if (!isWhole(reply.raw)) controller.abort(new Error('the client closed the connection'));
  });
  return controller.signal;
}

export const clientReading = (reply: FastifyReply): ClientReading => readingOf(reply.raw);
