import { isFault } from '#fault';
import { type AstJson, stringifyAst } from '../ast/json';
import type { QueryRecord } from './query-options';

interface Watched {
  readonly query?: { readonly ast: AstJson; readonly text?: string };
  readonly origin?: string;
}

/** Follows one query from its start to its last row, and tells of it once. */
export class QueryWatch {
  private readonly start = performance.now();
  private told = false;

  constructor(
    private readonly path: string,
    private readonly watched: Watched,
    private readonly tell: ((record: QueryRecord) => void) | undefined,
  ) {}

  /** Passes rows on and tells when they end. */
  async *counted(chunks: AsyncIterable<string[]>): AsyncGenerator<string[]> {
    let rows = 0;
    let complete = false;
    try {
      for await (const chunk of chunks) {
        rows += chunk.length;
        yield chunk;
      }
      complete = true;
      this.done(rows);
    } catch (error) {
      this.failed(error, rows);
      throw error;
    } finally {
      // Ended from outside: by a client that left, or by one that needed one row only.
      if (!complete) this.done(rows);
    }
  }

  done(rows: number): void {
    this.report(rows);
  }

  failed(error: unknown, rows = 0): void {
    this.report(rows, isFault(error) ? error.code : 'query.broken');
  }

  private report(rows: number, failure?: string): void {
    if (this.told || this.tell === undefined) return;
    this.told = true;
    const { query, origin } = this.watched;
    const text = query?.text ?? (query === undefined ? undefined : stringifyAst(query.ast));
    this.tell({
      path: this.path,
      ms: performance.now() - this.start,
      rows,
      ...(text === undefined ? {} : { query: text }),
      ...(origin === undefined ? {} : { origin }),
      ...(failure === undefined ? {} : { failure }),
    });
  }
}
