import { excerpt, isFault } from '#fault';
import type { RequestIdentity } from '#http';
import type { Span } from '#observe';
import type { QueryRecord } from './query-options';

/** An aggregate of several subjects runs one statement for each subject, so the record is limited. */
const mostStatements = 10;

export class QueryRecorder {
  private readonly start = performance.now();
  private readonly span: Span;
  private readonly statements: string[] = [];
  private rows = 0;
  private origin: string | undefined;

  constructor(
    private readonly identity: RequestIdentity,
    private readonly route: string,
    private readonly record: ((record: QueryRecord) => void) | undefined,
  ) {
    this.span = identity.span.child('query', { 'nodeledger.query.route': route });
  }

  comesFrom(origin: string | undefined): void {
    this.origin = origin === undefined ? undefined : excerpt(origin);
  }

  statement(statement: string): void {
    if (this.statements.length < mostStatements) this.statements.push(statement);
  }

  async *counted(chunks: AsyncIterable<string[]>): AsyncGenerator<string[]> {
    for await (const chunk of chunks) {
      this.rows += chunk.length;
      yield chunk;
    }
  }

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
    const { identity, route, origin, statements, rows } = this;
    this.span.set({ 'nodeledger.query.rows': rows });
    this.span.end(failure);
    this.record?.({
      identity,
      route,
      statements,
      ms: performance.now() - this.start,
      rows,
      ...(origin === undefined ? {} : { origin }),
      ...(failure === undefined ? {} : { failure }),
    });
  }
}
