import { Readable } from 'node:stream';
import type { FastifyReply } from './fastify';
import { onRequestEnd } from './on-request-end';

/** Each write to an answer of this media type is sent at once, even if the answer is compressed with gzip. */
export const eventStreamType = 'text/event-stream';

/** If more than this number of bytes wait to be sent, `drained` waits for the client. */
const fullBytes = 64 << 10;

const openedAfter = new WeakMap<FastifyReply, number>();

/**
 * Returns the milliseconds until an event stream began, or undefined for other answers. For an event stream, only this
 * time shows how fast the service answers, because the stream then stays open.
 */
export const timeUntilStream = (reply: FastifyReply): number | undefined => openedAfter.get(reply);

/** Sends events to one client. The caller must limit `bufferedBytes`. */
export class EventStream {
  private readonly body: Readable;
  private readonly gone = new AbortController();
  private readonly waiting = new Set<() => void>();
  private hasEnded = false;

  private constructor(private readonly reply: FastifyReply) {
    this.body = new Readable({ highWaterMark: fullBytes, read: () => this.goOn() });
    // Treats an error on the connection as the end of the stream.
    this.body.on('error', () => undefined);
    onRequestEnd(reply.request, reply, () => {
      this.gone.abort();
      this.goOn();
    });
  }

  static open(reply: FastifyReply): EventStream {
    openedAfter.set(reply, reply.elapsedTime);
    const stream = new EventStream(reply);
    // Tells proxies not to store the answer, and not to collect its pieces (nginx reads X-Accel-Buffering).
    void reply
      .headers({
        'content-type': eventStreamType,
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      })
      .send(stream.body);
    if (reply.request.method === 'HEAD') stream.end();
    return stream;
  }

  get closed(): AbortSignal {
    return this.gone.signal;
  }

  /** Number of written bytes that the connection has not accepted yet. */
  get bufferedBytes(): number {
    return this.body.readableLength;
  }

  write(text: string): void {
    if (!this.hasEnded && !this.gone.signal.aborted) this.body.push(text);
  }

  /** Resolves when the client has read most of the written bytes, or when the stream has ended. */
  async drained(): Promise<void> {
    while (this.bufferedBytes >= fullBytes && !this.gone.signal.aborted)
      await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  async over(): Promise<void> {
    const { signal } = this.gone;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.body.push(null);
  }

  /** Destroys the connection, so that the client detects that the answer is incomplete. */
  cutOff(): void {
    this.hasEnded = true;
    this.reply.raw.destroy();
    this.body.destroy();
  }

  private goOn(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}
