/** A connection from an address of its own, with bytes as they are: for requests that no library would send. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface RawAnswer {
  /** Of the first line; undefined: the connection ended without one. */
  readonly status: number | undefined;
  /** The begin of the answer. */
  readonly text: string;
}

const keptCharacters = 4_000;
/** Who has read as much goes away: reading on would only take the processor from the service. */
const mostBytes = 30_000_000;

export class RawClient {
  private readonly socket: Socket;
  private head = '';
  private closed = false;
  private bytes = 0;

  constructor(url: string, localAddress: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect({ host: hostname, port: Number(port), localAddress });
    // How a hostile client's connection ends is the service's affair.
    this.socket.on('error', () => (this.closed = true));
    this.socket.on('close', () => (this.closed = true));
    this.socket.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      if (this.bytes > mostBytes) this.socket.destroy();
      if (this.head.length < keptCharacters) this.head += chunk.toString('latin1').slice(0, keptCharacters);
    });
  }

  get ended(): boolean {
    return this.closed;
  }

  send(bytes: Buffer | string): void {
    if (!this.closed) this.socket.write(bytes);
  }

  /** Reads nothing more: what is under way stays in buffers, on both sides. */
  stopReading(): void {
    this.socket.pause();
  }

  goOnReading(): void {
    this.socket.resume();
  }

  /** Until the first bytes of an answer, the end of the connection, or so many milliseconds. */
  async began(ms: number): Promise<void> {
    for (const end = Date.now() + ms; this.head === '' && !this.closed && Date.now() < end;) await delay(20);
  }

  /** Reads until the other side ends the connection, or so many milliseconds. */
  async read(ms: number): Promise<RawAnswer> {
    for (const end = Date.now() + ms; !this.closed && Date.now() < end;) await delay(50);
    return this.answer;
  }

  get answer(): RawAnswer {
    const status = /^HTTP\/1\.1 (\d+)/.exec(this.head)?.[1];
    return { status: status === undefined ? undefined : Number(status), text: this.head };
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The head of a request. `length`: what it says of its body. */
export function headOf(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  length?: number,
): string {
  const lines = Object.entries({
    host: 'nodeledger',
    connection: 'close',
    ...headers,
    ...(length === undefined ? {} : { 'content-length': String(length) }),
  }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}
