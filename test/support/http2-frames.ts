/** Sends single HTTP/2 frames, for requests that no client library sends. */
import { once } from 'node:events';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

export const frameTypes = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
};
export const flags = { endStream: 1, ack: 1, endHeaders: 4 };

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(type: number, flag: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flag;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const reset = (stream: number, code: number): Buffer => frame(frameTypes.reset, 0, stream, fourBytes(code));

export function fourBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Encodes a text in HPACK without compression. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

/** Encodes headers in HPACK without compression and without a table. */
export const headerBlock = (headers: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(Object.entries(headers).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));

export const request = (path: string, method = 'GET', more: Readonly<Record<string, string>> = {}): Buffer =>
  headerBlock({ ':method': method, ':scheme': 'https', ':authority': 'localhost', ':path': path, ...more });

/** A connection that sends the given frames unchanged. */
export class FrameClient {
  readonly heard: Frame[] = [];
  private rest = Buffer.alloc(0);

  private constructor(readonly socket: TLSSocket) {
    socket.on('error', () => undefined);
    socket.on('data', (piece: Buffer) => this.hear(piece));
  }

  /** Resolves when preface and settings are sent. */
  static async open(options: ConnectionOptions): Promise<FrameClient> {
    const socket = connect({ host: '127.0.0.1', servername: 'localhost', ALPNProtocols: ['h2'], ...options });
    const client = new FrameClient(socket);
    await once(socket, 'secureConnect');
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    client.send(frame(frameTypes.settings, 0, 0));
    return client;
  }

  send(...frames: readonly Buffer[]): void {
    if (this.socket.writable) this.socket.write(Buffer.concat(frames));
  }

  of(type: number): Frame[] {
    return this.heard.filter((one) => one.type === type);
  }

  private hear(piece: Buffer): void {
    this.rest = Buffer.concat([this.rest, piece]);
    while (this.rest.length >= 9) {
      const end = 9 + this.rest.readUIntBE(0, 3);
      if (this.rest.length < end) return;
      const [type = 0, flag = 0] = [this.rest[3], this.rest[4]];
      this.heard.push({
        type,
        flags: flag,
        stream: this.rest.readUInt32BE(5) & 0x7fffffff,
        payload: this.rest.subarray(9, end),
      });
      this.rest = this.rest.subarray(end);
    }
  }
}
