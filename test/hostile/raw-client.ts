/** Sends raw bytes over a connection from a chosen address, for requests that no library sends. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface RawAnswer {
  /** The status of the first line; undefined if the connection ended without one. */
  readonly status: number | undefined;
  /** The begin of the answer. */
  readonly text: string;
}

const keptCharacters = 4_000;
/** The client stops reading after this many bytes. Reading more would only take processor time from the service. */
const mostBytes = 30_000_000;

export class RawClient {
  private readonly socket: Socket;
  private head = '';
  private closed = false;
  private bytes = 0;

  constructor(url: string, localAddress: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect({ host: hostname, port: Number(port), localAddress });
    // Errors of a hostile client's connection do not matter.
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

  /** Stops reading. Further bytes stay in the buffers of both sides. */
  stopReading(): void {
    this.socket.pause();
  }

  goOnReading(): void {
    this.socket.resume();
  }

  /** Waits for the first bytes of an answer, the end of the connection, or this many milliseconds. */
  async began(ms: number): Promise<void> {
    for (const end = Date.now() + ms; this.head === '' && !this.closed && Date.now() < end;) await delay(20);
  }

  /** Reads until the service closes the connection, or for this many milliseconds. */
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

/** Returns the head of a request. `length`: the declared length of its body. */
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
