import { Inject, Injectable } from '@nestjs/common';
import { clientGone, type FastifyReply, type FastifyRequest, jsonType } from '#http';
import type { Limits } from '#limits';
import {
  anySchema,
  type CompileTarget,
  type Fragment,
  goBack,
  type Moment,
  type QueryOptions,
  readMoment,
  readParameters,
  render,
  type RequestParameters,
  type Snapshot,
  tableRequest,
  TableReader,
  targetOf,
} from '#query';
import { QUERIES } from './queries';
import { ShortCache } from './short-cache';

/**
 * Largest size of the cache in characters. The service caches answers, because each open page sends a request every few
 * seconds, and several pages send equal requests.
 */
const mostCharacters = 8_000_000;
const never = new AbortController().signal;

@Injectable()
export class FleetReader {
  readonly target: CompileTarget;
  readonly limits: Limits;
  private readonly tables: TableReader;
  private readonly cache = new ShortCache({ mostCharacters });

  constructor(@Inject(QUERIES) options: QueryOptions) {
    this.target = targetOf(options);
    this.limits = options.limits;
    this.tables = new TableReader(options);
  }

  /**
   * Throws `http.limit`, `query.as-of`, and `query.parameter` for any parameter other than `as_of` and the names in
   * `known`.
   */
  receive(request: FastifyRequest, reply: FastifyReply, known: readonly string[]): FleetRequest {
    const parameters = readParameters(request.url, [...known, 'as_of'], this.limits);
    const asOf = parameters.text('as_of');
    const moment = asOf === undefined ? undefined : readMoment(asOf);
    return new FleetRequest(
      { request, reply, tables: this.tables, cache: this.cache, limits: this.limits },
      parameters,
      moment,
    );
  }
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly tables: TableReader;
  readonly cache: ShortCache;
  readonly limits: Limits;
}

export class FleetRequest {
  constructor(
    private readonly exchange: Exchange,
    readonly parameters: RequestParameters,
    /** The past time that the request asks about. Undefined if it asks about the present. */
    private readonly moment: Moment | undefined,
  ) {}

  get isPast(): boolean {
    return this.moment !== undefined;
  }

  async answer(statement: Fragment): Promise<void> {
    this.send(await this.read(({ one }) => one(statement)));
  }

  /** Sends a text that is at most `forMs` old. The text may have been made for another request with the same URL. */
  async answerShared(forMs: number, make: (one: ReadOne) => Promise<string>): Promise<void> {
    const { url } = this.exchange.request;
    // Does not share answers about the past, because their headers describe the reading that made them.
    this.send(
      this.isPast ? await this.read(({ one }) => make(one)) : await this.shared(url, forMs, ({ one }) => make(one)),
    );
  }

  /**
   * Returns a text about the present that is at most `forMs` old, or makes a new one. `key` must contain everything
   * that influences the text.
   */
  shared(key: string, forMs: number, make: (reading: FleetReading) => Promise<string>): Promise<string> {
    return this.exchange.cache.get(key, forMs, () => this.readForAll(make));
  }

  /** Runs `make`. Stops the reading if the client closes the connection. */
  read<T>(make: (reading: FleetReading) => Promise<T>): Promise<T> {
    return this.readUntil(clientGone(this.exchange.reply), make);
  }

  /** Like `read`, but continues if the client closes the connection, because other clients can wait for the result. */
  readForAll<T>(make: (reading: FleetReading) => Promise<T>): Promise<T> {
    return this.readUntil(never, make);
  }

  send(text: string): void {
    void this.exchange.reply.headers({ 'content-type': jsonType, 'cache-control': 'no-store' }).send(text);
  }

  private readUntil<T>(gone: AbortSignal, make: (reading: FleetReading) => Promise<T>): Promise<T> {
    const { request, reply, tables } = this.exchange;
    return tables.read(tableRequest(request, reply, gone), async (snapshot) => {
      const time = this.moment === undefined ? undefined : (await goBack(this.moment, snapshot, reply)).time;
      return make({
        one: (statement) => this.one(snapshot, statement),
        timeMs: time === undefined ? Date.now() : Date.parse(time),
      });
    });
  }

  private async one(snapshot: Snapshot, statement: Fragment): Promise<string> {
    const row = await snapshot.one(render(statement, anySchema, this.exchange.limits, snapshot.isPast));
    if (row === undefined) throw new Error('a statement that always has a row had none');
    return row;
  }
}

export interface FleetReading {
  readonly one: ReadOne;
  /** The requested time or, if the request is about the present, the present time. In milliseconds since 1970. */
  readonly timeMs: number;
}

/** The statement must return one row with a text. */
export type ReadOne = (statement: Fragment) => Promise<string>;
