import { isFault } from '#fault';
import { type AstJson, stringifyAst } from '../ast/json';
import type { QueryRecord } from './query-options';

interface Watched {
  readonly query?: { readonly ast: AstJson; readonly text?: string };
  readonly origin?: string;
}

/** Follows one query from its start to its end, and tells of it once. */
export class QueryWatch {
  private readonly start = performance.now();
  private rows = 0;
  private watched: Watched = {};

  constructor(
    private readonly path: string,
    private readonly tell: ((record: QueryRecord) => void) | undefined,
  ) {}

  /** What is asked, once it has been read. */
  asks(watched: Watched): void {
    this.watched = watched;
  }

  /** Passes rows on and counts them. */
  async *counted(chunks: AsyncIterable<string[]>): AsyncGenerator<string[]> {
    for await (const chunk of chunks) {
      this.rows += chunk.length;
      yield chunk;
    }
  }

  /** One row that was asked for by itself. */
  one(row: string | undefined): string | undefined {
    if (row !== undefined) this.rows++;
    return row;
  }

  done(): void {
    this.report();
  }

  failed(error: unknown): void {
    this.report(isFault(error) ? error.code : 'http.broken');
  }

  private report(failure?: string): void {
    if (this.tell === undefined) return;
    const { query, origin } = this.watched;
    const text = query?.text ?? (query === undefined ? undefined : stringifyAst(query.ast));
    this.tell({
      path: this.path,
      ms: performance.now() - this.start,
      rows: this.rows,
      ...(text === undefined ? {} : { query: text }),
      ...(origin === undefined ? {} : { origin }),
      ...(failure === undefined ? {} : { failure }),
    });
  }
}
