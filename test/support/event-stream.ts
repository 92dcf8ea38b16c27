/** Clients of server-sent events, independent of the product's own. */
import { type IncomingHttpHeaders, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { until } from './until';

/** A CloudEvent of the service. */
export interface ReceivedEvent {
  readonly specversion: string;
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: string;
  readonly data: { readonly position: { readonly partition: number; readonly offset: number } } & Record<
    string,
    unknown
  >;
}

/** Splits text into messages, as the specification of HTML says. */
export class EventParser {
  readonly events: ReceivedEvent[] = [];
  readonly comments: string[] = [];
  lastId: string | undefined;
  private text = '';
  private data: string[] = [];
  private id: string | undefined;

  add(text: string): void {
    this.text += text;
    for (let end = this.text.indexOf('\n'); end >= 0; end = this.text.indexOf('\n')) {
      this.line(this.text.slice(0, end));
      this.text = this.text.slice(end + 1);
    }
  }

  private line(line: string): void {
    if (line === '') {
      this.lastId = this.id ?? this.lastId;
      if (this.data.length > 0) this.events.push(JSON.parse(this.data.join('\n')) as ReceivedEvent);
      this.data = [];
      return;
    }
    const at = line.indexOf(':');
    const name = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
    if (name === '') this.comments.push(value);
    if (name === 'data') this.data.push(value);
    if (name === 'id') this.id = value;
  }
}

export interface ListenOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Options of TLS, and of the request. */
  readonly request?: RequestOptions & Readonly<Record<string, unknown>>;
}

/** One answer. */
export class Listening extends EventParser {
  hasEnded = false;
  /** Whether the answer was complete when it ended. */
  isWhole = false;

  constructor(
    readonly answer: IncomingMessage,
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
  ) {
    super();
  }

  close(): void {
    this.answer.destroy();
  }

  async ended(withinMs?: number): Promise<void> {
    await until(() => this.hasEnded, { what: 'the end of the stream', ...(withinMs !== undefined && { withinMs }) });
  }

  async received(count: number): Promise<readonly ReceivedEvent[]> {
    await until(() => this.events.length >= count, { withinMs: 20_000 }).catch(() => {
      throw new Error(`${this.events.length} of ${count} events have arrived: ${JSON.stringify(this.events)}`);
    });
    return this.events;
  }
}

/** Opens a stream. Resolves when the headers have arrived. */
export function listenTo(url: string, { headers = {}, request: more = {} }: ListenOptions = {}): Promise<Listening> {
  const send = url.startsWith('https:') ? secureRequest : request;
  return new Promise((resolve, reject) => {
    const sent = send(url, { agent: false, ...more, headers }, (answer) => {
      const listening = new Listening(answer, answer.statusCode ?? 0, answer.headers);
      const end = (): void => {
        listening.hasEnded = true;
        listening.isWhole = answer.complete;
      };
      answer.on('error', end).on('close', end);
      const isGzip = answer.headers['content-encoding'] === 'gzip';
      const body = isGzip ? answer.pipe(createGunzip()) : answer;
      body.setEncoding('utf8').on('data', (text: string) => listening.add(text));
      body.on('error', end);
      resolve(listening);
    });
    sent.on('error', reject).end();
  });
}

/** Follows changes for as long as the test runs, and connects again with the id of the last event. */
export class Subscriber {
  /** All events in the order in which they arrived, with repetitions. */
  readonly events: ReceivedEvent[] = [];
  connections = 0;
  /** Answers other than 200 and 503. */
  readonly refusals: string[] = [];
  private lastId: string | undefined;
  private current: Listening | undefined;
  private stopped = false;
  private readonly running: Promise<void>;

  /** `url` returns the address of the service at the moment, with parameters; it may throw. */
  constructor(
    private readonly url: () => string | Promise<string>,
    private readonly options: ListenOptions = {},
  ) {
    this.running = this.run();
  }

  get ids(): Set<string> {
    return new Set(this.events.map(({ id }) => id));
  }

  async connected(): Promise<void> {
    await until(() => this.lastId !== undefined, { what: 'a connection' });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.current?.close();
    await this.running;
  }

  private async run(): Promise<void> {
    for (; !this.stopped; await delay(50)) {
      try {
        const resume = this.lastId === undefined ? {} : { 'last-event-id': this.lastId };
        const listening = await listenTo(await this.url(), {
          ...this.options,
          headers: { ...this.options.headers, ...resume },
        });
        this.current = listening;
        if (this.stopped) listening.close();
        if (listening.status !== 200 && listening.status !== 503) this.refusals.push(String(listening.status));
        if (listening.status === 200) this.connections += 1;
        for (let taken = 0; !listening.hasEnded || taken < listening.events.length; await delay(5)) {
          const arrived = listening.events.slice(taken);
          taken += arrived.length;
          this.events.push(...arrived);
          this.lastId = listening.lastId ?? this.lastId;
        }
      } catch {
        // The service does not run at the moment.
      }
    }
  }
}

/**
 * Returns what is wrong with the order of the events of each node: after the repetitions are removed, positions must ascend. A
 * repetition may follow only a new connection.
 */
export function disorder(events: readonly ReceivedEvent[]): string[] {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  const wrong: string[] = [];
  for (const { id, subject, data } of events) {
    if (seen.has(id)) continue;
    seen.add(id);
    const { offset } = data.position;
    if (offset < (last.get(subject) ?? -1)) wrong.push(`${id} of ${subject} at ${offset} after ${last.get(subject)}`);
    last.set(subject, offset);
  }
  return wrong;
}
