import { Inject, Injectable } from '@nestjs/common';
import {
  clientAddress,
  clientGone,
  clientReading,
  type FastifyReply,
  type FastifyRequest,
  jsonType,
  requestIdentity,
} from '#http';
import type { Limits } from '#limits';
import {
  anySchema,
  type CompileTarget,
  type Fragment,
  type QueryOptions,
  render,
  type Snapshot,
  TableReader,
  targetOf,
} from '#query';
import { QUERIES } from './queries';
import { ShortCache } from './short-cache';

/**
 * Largest number of characters in the cache. An open page sends a request every few seconds, and several pages send
 * equal requests.
 */
const mostCharacters = 8_000_000;
const never = new AbortController().signal;

/** Reads the live tables for answers that PostgreSQL makes as one JSON text. */
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

  async answer(request: FastifyRequest, reply: FastifyReply, statement: Fragment): Promise<void> {
    send(reply, await this.read(request, reply, clientGone(reply), (one) => one(statement)));
  }

  /**
   * Answers with a text that was made at most `forMs` ago. `key` must contain everything that the text depends on. If
   * the client leaves, the work continues, because other clients may wait for the text.
   */
  async answerShared(
    request: FastifyRequest,
    reply: FastifyReply,
    { key, forMs }: { readonly key: string; readonly forMs: number },
    make: (one: ReadOne) => Promise<string>,
  ): Promise<void> {
    send(reply, await this.shared(key, forMs, () => this.readerFor(request, reply)(make)));
  }

  /** Returns a text that was made at most `forMs` ago. */
  shared(key: string, forMs: number, make: () => Promise<string>): Promise<string> {
    return this.cache.get(key, forMs, make);
  }

  /**
   * Returns a function that reads for this request and for other requests that wait. Its work continues if the client
   * leaves.
   */
  readerFor(request: FastifyRequest, reply: FastifyReply): <T>(make: (one: ReadOne) => Promise<T>) => Promise<T> {
    return (make) => this.read(request, reply, never, make);
  }

  private read<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    gone: AbortSignal,
    make: (one: ReadOne) => Promise<T>,
  ): Promise<T> {
    const from = {
      identity: requestIdentity(request),
      route: request.routeOptions.url ?? '',
      address: clientAddress(request),
      reader: clientReading(reply),
      gone,
    };
    return this.tables.read(from, (snapshot) => make((statement) => this.one(snapshot, statement)));
  }

  private async one(snapshot: Snapshot, statement: Fragment): Promise<string> {
    const row = await snapshot.one(render(statement, anySchema, this.limits));
    if (row === undefined) throw new Error('a statement that always has a row had none');
    return row;
  }
}

/** Runs a statement, and returns the text of its only row. */
export type ReadOne = (statement: Fragment) => Promise<string>;

const send = (reply: FastifyReply, text: string): void =>
  void reply.headers({ 'content-type': jsonType, 'cache-control': 'no-store' }).send(text);
