import { Readable } from 'node:stream';
import type { FastifyReply } from './fastify';
import { onRequestEnd } from './on-request-end';

/** Media type of an answer that ends only when the client or the service ends it. Each write is sent at once, also with gzip. */
export const eventStreamType = 'text/event-stream';

/** Bytes from which on `drained` waits for the client. */
const fullBytes = 64 << 10;

const openedAfter = new WeakMap<FastifyReply, number>();

/** Returns the milliseconds until the answer began, if it is an event stream. Its whole time says nothing about the service. */
export const timeUntilStream = (reply: FastifyReply): number | undefined => openedAfter.get(reply);

/** An answer with server-sent events (text/event-stream). The caller limits `bufferedBytes`. */
export class EventStream {
  private readonly body: Readable;
  private readonly gone = new AbortController();
  private readonly waiting = new Set<() => void>();
  private hasEnded = false;

  private constructor(private readonly reply: FastifyReply) {
    this.body = new Readable({ highWaterMark: fullBytes, read: () => this.goOn() });
    // An error of the connection is the end of the stream.
    this.body.on('error', () => undefined);
    onRequestEnd(reply.request, reply, () => {
      this.gone.abort();
      this.goOn();
    });
  }

  /** Sends the headers. A HEAD request gets no more than them. */
  static open(reply: FastifyReply): EventStream {
    openedAfter.set(reply, reply.elapsedTime);
    const stream = new EventStream(reply);
    // A proxy must neither keep the answer nor collect its pieces (X-Accel-Buffering is nginx's).
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

  /** Aborts when the stream is over, whoever ended it. */
  get closed(): AbortSignal {
    return this.gone.signal;
  }

  /** Bytes that were written and that the connection has not taken. */
  get bufferedBytes(): number {
    return this.body.readableLength;
  }

  /** Does nothing after the end. */
  write(text: string): void {
    if (!this.hasEnded && !this.gone.signal.aborted) this.body.push(text);
  }

  /** Resolves when the client has taken most of what was written, or when the stream is over. */
  async drained(): Promise<void> {
    while (this.bufferedBytes >= fullBytes && !this.gone.signal.aborted)
      await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  /** Resolves when the stream is over, whether the client or the service ended it. */
  async over(): Promise<void> {
    const { signal } = this.gone;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }

  /** Ends the answer after what was written. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.body.push(null);
  }

  /** Breaks the connection off, so that the client sees that something is missing. */
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
