/**
 * Runs compiled statements against the live generation. Takes a function from schema to statement, so that a statement
 * can be made again when its generation was replaced; gives rows as JSON texts in chunks. Refuses with faults that say
 * what the query did wrong, what timed out, or that nothing is there to ask yet.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Sql } from '#database';
import { totalSeparator, withTotal } from '../sql/with-total';
import { clientLeft, explainDatabaseError, noTables, otherForm, tablesVanished, timedOut } from './database-error';
import { QUERY_OPTIONS, type QueryOptions } from './query-options';

export interface Statement {
  /** One text column `row`. */
  readonly rows: Sql;
  /** One row of the same shape with the number of rows that paging leaves out of account. */
  readonly total?: Sql;
}

export interface RunLimits {
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface Rows {
  readonly total?: number;
  readonly empty: boolean;
  /** At least one row a chunk. Throws as `open` does. */
  readonly chunks: AsyncIterable<string[]>;
}

@Injectable()
export class StatementRunner {
  constructor(@Inject(QUERY_OPTIONS) private readonly options: QueryOptions) {}

  /** Resolves when the first rows are there, so that what fails before them can still become a status. */
  async open(make: (schema: string) => Statement, limits: RunLimits): Promise<Rows> {
    const deadline = new Deadline(limits);
    try {
      const first = await this.firstChunk(make, deadline, false);
      return {
        ...(first.total === undefined ? {} : { total: first.total }),
        empty: first.chunk.length === 0,
        chunks: follow(first, deadline),
      };
    } catch (error) {
      deadline.clear();
      throw deadline.explain(error);
    }
  }

  private async firstChunk(
    make: (schema: string) => Statement,
    deadline: Deadline,
    again: boolean,
  ): Promise<FirstChunk> {
    const generation = await this.options.generations.live(again);
    if (generation === undefined) throw noTables();
    if (generation.projectionVersion !== this.options.projectionVersion) {
      // The look-up may be of a moment ago, from before a switch.
      if (!again) return this.firstChunk(make, deadline, true);
      throw otherForm(generation.projectionVersion, this.options.projectionVersion);
    }
    const { rows, total } = make(generation.schema);
    const statement = total === undefined ? rows : withTotal(rows, total);
    const source = this.options.database
      .stream(statement, { signal: deadline.signal, timeoutMs: deadline.remainingMs() })
      [Symbol.asyncIterator]();
    try {
      const next = await deadline.during(source.next());
      const chunk = next.done === true ? [] : next.value;
      return total === undefined ? { source, chunk, prefix: 0 } : await countedChunk(source, chunk);
    } catch (error) {
      // Where it still waits for a connection, it ends by itself once it has one.
      source.return?.().catch(() => undefined);
      // A rebuild flipped between the look-up and the statement: once more, with what is live now.
      if (!again && tablesVanished(error)) return this.firstChunk(make, deadline, true);
      throw error;
    }
  }
}

interface FirstChunk {
  readonly source: AsyncIterator<string[]>;
  readonly chunk: string[];
  readonly total?: number;
  /** Characters before each row. */
  readonly prefix: number;
}

async function countedChunk(source: AsyncIterator<string[]>, chunk: string[]): Promise<FirstChunk> {
  const prefix = (chunk[0] ?? '').indexOf(totalSeparator) + 1;
  const total = Number((chunk[0] ?? '').slice(0, prefix - 1));
  const empty = chunk.length === 1 && chunk[0]?.length === prefix;
  if (!empty) return { source, total, prefix, chunk };
  // Nothing follows: give the connection back, because who asked may need one for another look-up.
  await source.return?.();
  return { source, total, prefix, chunk: [] };
}

async function* follow({ source, chunk, prefix }: FirstChunk, deadline: Deadline): AsyncGenerator<string[]> {
  const bare = (rows: string[]): string[] => (prefix === 0 ? rows : rows.map((row) => row.slice(prefix)));
  try {
    if (chunk.length > 0) yield bare(chunk);
    for (;;) {
      const next = await deadline.during(source.next());
      if (next.done === true) return;
      yield bare(next.value);
    }
  } catch (error) {
    throw deadline.explain(error);
  } finally {
    deadline.clear();
    const ending = source.return?.();
    if (!deadline.signal.aborted) await ending;
    else ending?.catch(() => undefined);
  }
}

/** One limit over everything a query does: waiting for a connection, the statement, and sending its rows. */
class Deadline {
  readonly signal: AbortSignal;
  private readonly timer: NodeJS.Timeout;
  private readonly expiry = new AbortController();
  private readonly end: number;

  constructor(private readonly limits: RunLimits) {
    this.end = performance.now() + limits.timeoutMs;
    this.timer = setTimeout(() => this.expiry.abort(timedOut(limits.timeoutMs)), limits.timeoutMs);
    this.timer.unref();
    this.signal = AbortSignal.any([limits.signal, this.expiry.signal]);
  }

  remainingMs(): number {
    return Math.max(1, this.end - performance.now());
  }

  /** What `work` gives, unless the deadline or the client's leaving comes first, whatever `work` waits for. */
  async during<T>(work: Promise<T>): Promise<T> {
    // It may still fail when nobody waits for it any more.
    work.catch(() => undefined);
    this.signal.throwIfAborted();
    let stop: () => void = () => undefined;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(this.signal.reason as Error);
      this.signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, stopped]);
    } finally {
      this.signal.removeEventListener('abort', stop);
    }
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  explain(error: unknown): unknown {
    return this.limits.signal.aborted ? clientLeft(error) : explainDatabaseError(error, this.limits.timeoutMs);
  }
}
