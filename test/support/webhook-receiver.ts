/** A receiver of webhooks that checks each signature and remembers each message. */
import { createHmac } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ReceivedEvent } from './event-stream';

export interface Received {
  readonly id: string;
  readonly timestamp: number;
  readonly signatures: readonly string[];
  readonly body: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly subject?: string;
    readonly data: { readonly position?: { readonly partition: number; readonly offset: number } };
  };
  /** The status that was answered; undefined while the message waits for an answer. */
  status: number | undefined;
}

/** Returns the status for a message, or answers by itself. */
export type Answering = (message: Received, response: ServerResponse) => number | Promise<number> | undefined;

export interface ReceiverOptions {
  readonly host?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
}

export class WebhookReceiver {
  readonly messages: Received[] = [];
  /** Messages whose signature is wrong. */
  readonly unsigned: Received[] = [];
  answer: Answering = () => 204;
  connections = 0;

  private constructor(
    private readonly server: Server,
    private readonly host: string,
    private readonly isSecure: boolean,
    readonly secret: string,
  ) {
    server.on('connection', () => this.connections++);
    server.on('request', (request, response) => {
      void buffer(request).then(async (body) => {
        const { headers } = request;
        const text = body.toString('utf8');
        const message: Received = {
          id: String(headers['webhook-id']),
          timestamp: Number(headers['webhook-timestamp']),
          signatures: String(headers['webhook-signature']).split(' '),
          body: text,
          event: JSON.parse(text) as Received['event'],
          status: undefined,
        };
        if (!message.signatures.includes(signatureOf(message, secret))) this.unsigned.push(message);
        this.messages.push(message);
        const status = await this.answer(message, response);
        if (status === undefined) return;
        message.status = status;
        response.writeHead(status).end();
      });
    });
  }

  static async open(secret: string, { host = '127.0.0.1', tls }: ReceiverOptions = {}): Promise<WebhookReceiver> {
    const server = tls === undefined ? createServer() : createTlsServer(tls);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return new WebhookReceiver(server, host, tls !== undefined, secret);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    const host = this.host.includes(':') ? `[${this.host}]` : this.host;
    return `${this.isSecure ? 'https' : 'http'}://${host}:${this.port}/changes`;
  }

  /** The messages that were answered 2xx. */
  get accepted(): readonly Received[] {
    return this.messages.filter(({ status = 0 }) => status >= 200 && status < 300);
  }

  /** The events that were accepted. */
  get events(): readonly ReceivedEvent[] {
    return this.accepted.map(({ event }) => event as ReceivedEvent);
  }

  /** The ids of the events that were accepted. */
  get ids(): ReadonlySet<string> {
    return new Set(this.accepted.map(({ event }) => event.id));
  }

  /** Returns the accepted events that arrived for the first time after a later one of their partition. */
  get outOfOrder(): string[] {
    const seen = new Set<string>();
    const last = new Map<number, number>();
    return this.accepted.flatMap(({ event: { id, data } }) => {
      if (data.position === undefined || seen.has(id)) return [];
      seen.add(id);
      const { partition, offset } = data.position;
      const before = last.get(partition) ?? 0;
      last.set(partition, Math.max(before, offset));
      return offset < before ? [id] : [];
    });
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

/** Independent of the product's signature, which is tested with it. */
export function signatureOf(
  { id, timestamp, body }: Omit<Received, 'signatures' | 'event' | 'status'>,
  secret: string,
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
