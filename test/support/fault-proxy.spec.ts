import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultProxy } from './fault-proxy';
import { stays, until } from './until';

/** Echoes the bytes that it receives, and keeps them. */
class Echo {
  heard = '';
  readonly sockets = new Set<Socket>();
  private constructor(private readonly server: Server) {}

  static async open(): Promise<Echo> {
    const echo = new Echo(createServer((socket) => echo.serve(socket)));
    echo.server.listen(0, '127.0.0.1');
    await once(echo.server, 'listening');
    return echo;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      this.heard += bytes.toString();
      socket.write(bytes);
    });
  }
}

class Client {
  said = '';
  error: NodeJS.ErrnoException | undefined;
  closed = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (bytes) => (this.said += bytes.toString()));
    socket.on('error', (error) => (this.error = error));
    socket.on('close', () => (this.closed = true));
  }

  static async to(port: number): Promise<Client> {
    const client = new Client(connect({ port, host: '127.0.0.1' }));
    await until(() => client.closed || !client.socket.connecting);
    return client;
  }
}

describe('FaultProxy', () => {
  let echo: Echo;
  let proxy: FaultProxy;
  const clients: Client[] = [];
  const client = async (): Promise<Client> => {
    const one = await Client.to(proxy.port);
    clients.push(one);
    return one;
  };

  beforeEach(async () => {
    echo = await Echo.open();
    proxy = await FaultProxy.open(echo.port);
  });
  afterEach(async () => {
    for (const one of clients.splice(0)) one.socket.destroy();
    await proxy.close();
    echo.close();
  });

  it('passes both ways, more than it holds, and the end of a side', async () => {
    const one = await client();
    const much = 'abcdefgh'.repeat(500_000);
    one.socket.write(much);
    await until(() => one.said.length === much.length);
    expect(one.said === much).toBe(true);
    one.socket.end();
    await until(() => one.closed && proxy.connections === 0);
    expect(one.error).toBeUndefined();
  });

  it('swallows answers while requests arrive; the cut connection is no use afterwards, a new one is', async () => {
    const one = await client();
    proxy.swallowAnswers();
    one.socket.write('stored?');
    await until(() => echo.heard === 'stored?');
    await sleep(50);
    expect(one.said).toBe('');
    expect(one.closed).toBe(false);
    proxy.pass();
    await until(() => one.closed);
    expect(one.error?.code).toBe('ECONNRESET');
    const next = await client();
    next.socket.write('again');
    await until(() => next.said === 'again');
  });

  it('cuts a connection some time after its first swallowed answer, and leaves one that lost nothing', async () => {
    const [asking, idle] = [await client(), await client()];
    proxy.swallowAnswers({ cutAfterMs: 100 });
    const began = Date.now();
    asking.socket.write('x');
    await until(() => asking.closed);
    expect(Date.now() - began).toBeGreaterThanOrEqual(95);
    proxy.pass();
    idle.socket.write('still here');
    await until(() => idle.said === 'still here');
  });

  it('cuts all connections, both sides, and takes new ones', async () => {
    const [one, two] = [await client(), await client()];
    one.socket.write('1');
    two.socket.write('2');
    await until(() => one.said === '1' && two.said === '2');
    proxy.cut();
    await until(() => one.closed && two.closed && [...echo.sockets].every((socket) => socket.destroyed));
    expect(one.error?.code).toBe('ECONNRESET');
    const next = await client();
    next.socket.write('new');
    await until(() => next.said === 'new');
  });

  it('refuses new connections on the port and takes them there again; open ones go on', async () => {
    const open = await client();
    await proxy.refuse();
    const refused = await client();
    expect(refused.error?.code).toBe('ECONNREFUSED');
    open.socket.write('open');
    await until(() => open.said === 'open');
    await proxy.accept();
    const next = await client();
    next.socket.write('next');
    await until(() => next.said === 'next');
  });

  it('stalls both ways and loses nothing', async () => {
    const one = await client();
    one.socket.write('before ');
    await until(() => one.said === 'before ');
    proxy.stall();
    one.socket.write('held ');
    for (const socket of echo.sockets) socket.write('told ');
    await stays(() => echo.heard === 'before ' && one.said === 'before ', { forMs: 100, what: 'the stall' });
    proxy.pass();
    await until(() => one.said === 'before told held ');
    expect(echo.heard).toBe('before held ');
  });

  it('delays each way, in order', async () => {
    const one = await client();
    proxy.delay(60);
    const began = Date.now();
    one.socket.write('a');
    await sleep(20);
    one.socket.write('b');
    await until(() => one.said === 'ab');
    expect(Date.now() - began).toBeGreaterThanOrEqual(2 * 60 - 5);
  });

  it('goes elsewhere when told, and tells a client of an upstream that is not there', async () => {
    const other = await Echo.open();
    proxy.forwardTo(other.port);
    const one = await client();
    one.socket.write('hello');
    await until(() => other.heard === 'hello');
    other.close();
    await until(() => one.closed);
    const next = await client();
    await until(() => next.closed);
    expect(echo.heard).toBe('');
  });
});
