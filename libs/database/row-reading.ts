import { Query, type PoolClient, type QueryConfig } from 'pg';
import type { Sql } from './statement';
import { columnTypes } from './types';

/**
 * A chunk is cut when its rows have this many bytes. Large enough that the cost of a chunk does not count, small enough
 * that a hundred queries at once need little memory.
 */
export const chunkBytes = 256 << 10;

/** Passes each row directly to the reader. pg's own Query would create an array and emit an event for each row. */
class RowQuery extends Query {
  constructor(
    config: QueryConfig,
    private readonly take: (row: string, bytes: number) => void,
  ) {
    super(config);
  }

  handleRowDescription(): void {
    // The one column is text.
  }

  /** `length`: bytes of the message, which has little besides the row. */
  handleDataRow({ fields, length }: { fields: [string]; length: number }): void {
    this.take(fields[0], length);
  }
}

/**
 * Reads the one text column of a statement's rows in chunks that are cut by bytes. While nobody asks for the next chunk
 * the connection is not read, so PostgreSQL waits and memory holds one chunk and one row at most, however wide rows are.
 */
export class RowReading {
  private rows: string[] = [];
  private bytes = 0;
  private done = false;
  private error: Error | undefined;
  private wake: () => void = () => undefined;
  private readonly socket: { pause(): void; resume(): void };

  constructor(client: PoolClient, { text, values, name }: Sql) {
    this.socket = (
      client as unknown as { connection: { stream: { pause(): void; resume(): void } } }
    ).connection.stream;
    const config = { text, values: values as unknown[], types: columnTypes, ...(name !== undefined && { name }) };
    const query = new RowQuery(config, (row, bytes) => this.take(row, bytes));
    query.on('end', () => this.finish());
    query.on('error', (error: Error) => this.finish(error));
    client.query(query);
  }

  /** True once the statement has ended, well or not: the connection can run another one. */
  get ended(): boolean {
    return this.done;
  }

  /** The next rows; an empty list when there are no more. Throws PostgreSQL's error. */
  async next(): Promise<string[]> {
    if (!this.done && this.bytes < chunkBytes) {
      this.socket.resume();
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.error !== undefined) throw this.error;
    const { rows } = this;
    this.rows = [];
    this.bytes = 0;
    return rows;
  }

  private take(row: string, bytes: number): void {
    this.rows.push(row);
    this.bytes += bytes;
    if (this.bytes < chunkBytes) return;
    this.socket.pause();
    this.wake();
  }

  private finish(error?: Error): void {
    this.done = true;
    this.error = error;
    // The end may come with the rows that filled the chunk: the next statement must find the connection being read.
    this.socket.resume();
    this.wake();
  }
}
