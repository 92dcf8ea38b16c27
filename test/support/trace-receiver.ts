import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

type Attributes = Record<string, unknown>;

/** One span as received. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** 1: internal, 2: server. */
  readonly kind: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
}

interface SentAttribute {
  readonly key: string;
  readonly value: Record<string, unknown>;
}
interface SentTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly SentAttribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes' | 'failed'> & {
        readonly attributes: readonly SentAttribute[];
        readonly status?: { readonly code?: number };
      })[];
    }[];
  }[];
}

/** A collector of traces that keeps the received spans: OTLP over HTTP, as JSON. */
export class TraceReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** All requests as received. */
  text = '';
  resource: Attributes = {};
  /** The status of the answers. */
  status = 200;

  readonly url: string;

  private constructor(private readonly server: Server) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(): Promise<TraceReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8');
        if (request.url === '/v1/traces' && receiver.status === 200) receiver.take(request.headers, text);
        response.writeHead(request.url === '/v1/traces' ? receiver.status : 404).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new TraceReceiver(server);
    return receiver;
  }

  /** May be called twice. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(headers: IncomingHttpHeaders, text: string): void {
    this.headers.push(headers);
    this.text += text;
    for (const { resource, scopeSpans } of (JSON.parse(text) as SentTraces).resourceSpans) {
      this.resource = read(resource.attributes);
      for (const { attributes, status, ...span } of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({ ...span, attributes: read(attributes), failed: status?.code === 2 });
      }
    }
  }
}

/** `{key, value: {intValue: 3}}` and the like. */
const read = (attributes: readonly SentAttribute[]): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
