import { Readable } from 'node:stream';
import type { FastifyReply } from './fastify';

/** Up to here an answer is collected and sent whole, so that a late error can still become a status. */
const wholeUpToCharacters = 32_768;

/**
 * Sends text chunks as they come, holding back the source while the client does not read. Resolves once the headers are
 * decided; an error of the source until then is thrown, a later one breaks the connection, so that the client sees a
 * truncated answer. When the client leaves, the source is ended (`return`).
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
  void reply.send(Readable.from(continued(head, source), { objectMode: false }));
}

async function* continued(head: string, source: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield head;
    for (;;) {
      const next = await source.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await source.return?.();
  }
}

/** A signal that aborts when the client goes away before its answer is complete. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('the client closed the connection'));
  });
  return controller.signal;
}
