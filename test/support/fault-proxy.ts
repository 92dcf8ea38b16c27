/**
 * A TCP proxy on loopback that causes failures when the test tells it to. It knows no protocol. Example with a
 * broker:
 *   const proxy = await FaultProxy.open();
 *   const broker = await startBroker({ proxyPort: proxy.port });
 *   proxy.forwardTo(broker.behindPort!);
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePorts } from './free-ports';
import { ProxyDirection, type ProxyMode } from './proxy-direction';

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  /** From the upstream to the client. */
  readonly answers: ProxyDirection;
  readonly requests: ProxyDirection;
}

export class FaultProxy {
  private target: { host: string; port: number } | undefined;
  private mode: ProxyMode = { kind: 'pass' };
  private readonly pairs = new Set<Pair>();
  private server: Server | undefined;

  private constructor(readonly port: number) {}

  /** Listens. Cuts connections until `forwardTo` sets their target. */
  static async open(targetPort?: number): Promise<FaultProxy> {
    const [port] = (await freePorts(1)) as [number];
    const proxy = new FaultProxy(port);
    if (targetPort !== undefined) proxy.forwardTo(targetPort);
    await proxy.accept();
    return proxy;
  }

  /** host:port, as clients use it. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Returns the number of open connections. */
  get connections(): number {
    return this.pairs.size;
  }

  /** Sets the target of new connections. Open connections keep theirs. */
  forwardTo(port: number, host = '127.0.0.1'): void {
    this.target = { host, port };
  }

  /**
   * Forwards everything again, first the held bytes. Cuts connections that lost bytes, because their streams are
   * incomplete.
   */
  pass(): void {
    this.change({ kind: 'pass' });
    for (const pair of this.pairs) if (pair.answers.lost) cutPair(pair);
  }

  /** Forwards requests and drops the answers. Cuts each connection `cutAfterMs` after its first dropped answer. */
  swallowAnswers({ cutAfterMs }: { cutAfterMs?: number } = {}): void {
    this.change(cutAfterMs === undefined ? { kind: 'swallow' } : { kind: 'swallow', cutAfterMs });
  }

  /** Holds the bytes of both directions. Connections stay open. */
  stall(): void {
    this.change({ kind: 'stall' });
  }

  /** Delays each piece of both directions by `ms`, and keeps their order. */
  delay(ms: number): void {
    this.change({ kind: 'delay', ms });
  }

  /** Resets both sides of all open connections. New connections are accepted. */
  cut(): void {
    for (const pair of this.pairs) cutPair(pair);
  }

  /** Stops listening, so that the system refuses new connections (ECONNREFUSED). Open connections stay. */
  async refuse(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    // The callback waits for open connections. The server stops listening at once.
    server?.close();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Accepts new connections again, on the same port. */
  async accept(): Promise<void> {
    if (this.server !== undefined) return;
    const server = createServer({ allowHalfOpen: true }, (client) => this.take(client));
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  async close(): Promise<void> {
    await this.refuse();
    this.cut();
  }

  private change(mode: ProxyMode): void {
    this.mode = mode;
    for (const { requests, answers } of this.pairs) {
      requests.wake();
      answers.wake();
    }
  }

  private take(client: Socket): void {
    if (this.target === undefined) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ ...this.target, allowHalfOpen: true });
    for (const socket of [client, upstream]) socket.setNoDelay(true);
    const pair: Pair = {
      client,
      upstream,
      requests: new ProxyDirection(client, upstream, () =>
        this.mode.kind === 'swallow' ? { kind: 'pass' } : this.mode,
      ),
      answers: new ProxyDirection(
        upstream,
        client,
        () => this.mode,
        () => this.cutLater(pair),
      ),
    };
    this.pairs.add(pair);
    for (const socket of [client, upstream]) {
      socket.on('error', () => cutPair(pair));
      socket.on('close', () => {
        if (client.destroyed && upstream.destroyed) this.pairs.delete(pair);
      });
    }
  }

  private cutLater(pair: Pair): void {
    if (this.mode.kind !== 'swallow' || this.mode.cutAfterMs === undefined) return;
    setTimeout(() => cutPair(pair), this.mode.cutAfterMs).unref();
  }
}

function cutPair({ client, upstream }: Pair): void {
  for (const socket of [client, upstream]) if (!socket.destroyed) socket.resetAndDestroy();
}
