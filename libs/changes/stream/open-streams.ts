import { Fault, isFault } from '#fault';
import { admitAgain, clientAddress, EventStream, type FastifyReply, type FastifyRequest } from '#http';
import { AddressShares, limitTable, type Limits } from '#limits';
import { ChangeFeed } from './change-feed';
import type { ChangeReader } from './change-reader';
import { ChangeStream, type StreamChoice } from './change-stream';
import type { StreamPosition } from './stream-position';

export interface StreamObserver {
  sent(events: number): void;
  cutOff(): void;
  /** Called with an error that the client did not cause. The stream continues. */
  failed(error: unknown): void;
}

export interface OpenStreamsOptions {
  readonly reader: ChangeReader;
  readonly limits: Limits;
  readonly observer: StreamObserver;
  readonly heartbeatMs?: number;
}

interface OpenStream {
  readonly request: FastifyRequest;
  readonly events: EventStream;
  readonly stream: ChangeStream;
}

/**
 * Milliseconds between two heartbeats. This time must be shorter than the timeouts of proxies and clients, which are
 * often 30 or 60 seconds.
 */
const heartbeatMs = 15_000;
/**
 * Milliseconds between two checks of the clients' access. The service notices a revoked token within two seconds, and a
 * change to the file of roles within four seconds. So a stream whose client has lost its access ends within five
 * seconds.
 */
const checkMs = 500;
const endMs = 500;
const retryAfterSeconds = 5;

export class OpenStreams {
  private readonly open = new Set<OpenStream>();
  private readonly shares = new AddressShares();
  private readonly feed: ChangeFeed;
  private timers: readonly NodeJS.Timeout[] = [];
  private isClosing = false;

  constructor(private readonly options: OpenStreamsOptions) {
    this.feed = new ChangeFeed(options.reader, (error) => options.observer.failed(error));
  }

  get count(): number {
    return this.open.size;
  }

  /**
   * Sends the changes until the stream ends. Counts the stream before it calls `start`, so that slow starts count
   * towards the limit. Throws `changes.crowded` and `query.stopping` (both of the kind `busy`), and the faults of
   * `start`.
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    start: () => Promise<{ readonly position: StreamPosition; readonly choice: StreamChoice }>,
  ): Promise<void> {
    const { reader, limits, observer } = this.options;
    if (this.isClosing) throw stopping();
    const address = clientAddress(request);
    if (!this.shares.fits(address, 1, limits.streams)) throw crowded(limits);
    this.shares.add(address, 1);
    try {
      const { position, choice } = await start();
      if (this.isClosing) throw stopping();
      const events = EventStream.open(reply);
      const stream = new ChangeStream(events, position, choice, {
        ...{ reader, feed: this.feed, mostBytes: limits.streamBytes },
        onSent: (count) => observer.sent(count),
        onCutOff: () => observer.cutOff(),
        onFailure: (error) => observer.failed(error),
      });
      const opened = { request, events, stream };
      this.add(opened);
      try {
        if (request.method !== 'HEAD') await stream.run();
      } finally {
        this.remove(opened);
      }
    } finally {
      this.shares.add(address, -1);
    }
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.all([...this.open].map(endSoon));
  }

  private add(opened: OpenStream): void {
    this.open.add(opened);
    if (this.timers.length > 0) return;
    this.timers = [
      setInterval(() => this.beat(), this.options.heartbeatMs ?? heartbeatMs).unref(),
      setInterval(() => this.check(), checkMs).unref(),
    ];
  }

  private remove(opened: OpenStream): void {
    this.open.delete(opened);
    if (this.open.size > 0) return;
    this.timers.forEach(clearInterval);
    this.timers = [];
  }

  private beat(): void {
    for (const { stream } of this.open) stream.beat();
  }

  private check(): void {
    for (const opened of this.open) {
      admitAgain(opened.request).catch((error: unknown) => {
        // Ends the stream only if access was refused. After any other error, it is unknown whether the client still has
        // access, and the stream continues, because the last check allowed it.
        if (!isFault(error) || error.kind === 'unauthorized' || error.kind === 'forbidden') void endSoon(opened);
      });
    }
  }
}

async function endSoon({ stream, events }: OpenStream): Promise<void> {
  stream.end();
  const late = setTimeout(() => events.cutOff(), endMs);
  await events.over();
  clearTimeout(late);
}

const stopping = (): Fault =>
  new Fault(
    'busy',
    'query.stopping',
    'The service is stopping. Follow the changes at another process, or in a moment.',
    {
      details: { retryAfterSeconds },
    },
  );

const crowded = ({ streams }: Limits): Fault =>
  new Fault(
    'busy',
    'changes.crowded',
    `Too many streams of changes are open: at most ${streams} (${limitTable.streams.setting.key}), half of them from one client address.`,
    { details: { retryAfterSeconds } },
  );
