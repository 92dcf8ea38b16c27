/**
 * A TCP proxy on loopback whose faults are switched by the test; it knows no protocol. To keep a Kafka client on it:
 *   const proxy = await FaultProxy.open();
 *   const broker = await startBroker({ proxyPort: proxy.port });
 *   proxy.forwardTo(broker.behindPort!);
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePorts } from './free-ports';
import { ProxyLane, type ProxyMode } from './proxy-lane';

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Carries to the client. */
  readonly answers: ProxyLane;
  readonly requests: ProxyLane;
}

export class FaultProxy {
  private target: { host: string; port: number } | undefined;
  private mode: ProxyMode = { kind: 'pass' };
  private readonly pairs = new Set<Pair>();
  private server: Server | undefined;

  private constructor(readonly port: number) {}

  /** Listens; connections are cut until `forwardTo` says where they go. */
  static async open(targetPort?: number): Promise<FaultProxy> {
    const [port] = (await freePorts(1)) as [number];
    const proxy = new FaultProxy(port);
    if (targetPort !== undefined) proxy.forwardTo(targetPort);
    await proxy.accept();
    return proxy;
  }

  /** host:port, as clients take it. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** How many connections are open through it. */
  get connections(): number {
    return this.pairs.size;
  }

  /** New connections go there; open ones stay where they are. */
  forwardTo(port: number, host = '127.0.0.1'): void {
    this.target = { host, port };
  }

  /** Everything passes again, what was held first. A connection that lost bytes makes no sense any more and is cut. */
  pass(): void {
    this.change({ kind: 'pass' });
    for (const pair of this.pairs) if (pair.answers.lost) cutPair(pair);
  }

  /** Requests reach the upstream, its answers go nowhere; each connection is cut `cutAfterMs` after its first lost one. */
  swallowAnswers({ cutAfterMs }: { cutAfterMs?: number } = {}): void {
    this.change(cutAfterMs === undefined ? { kind: 'swallow' } : { kind: 'swallow', cutAfterMs });
  }

  /** Nothing moves either way and nothing is lost; connections stay open. */
  stall(): void {
    this.change({ kind: 'stall' });
  }

  /** Each piece, both ways, comes `ms` later than it would, in order. */
  delay(ms: number): void {
    this.change({ kind: 'delay', ms });
  }

  /** Resets all open connections, both sides. New ones are taken. */
  cut(): void {
    for (const pair of this.pairs) cutPair(pair);
  }

  /** New connections are refused by the system (ECONNREFUSED). Open ones stay. */
  async refuse(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    // Its callback waits for open connections; it stops listening at once.
    server?.close();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Takes new connections again, on the same port. */
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
      requests: new ProxyLane(client, upstream, () => (this.mode.kind === 'swallow' ? { kind: 'pass' } : this.mode)),
      answers: new ProxyLane(
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
