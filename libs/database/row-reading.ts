import { Query, type PoolClient, type QueryConfig } from 'pg';
import type { Sql } from './statement';
import { columnTypes } from './types';

/**
 * Bytes in a chunk. This is large enough that the cost of each chunk does not matter, and small enough that a hundred
 * concurrent queries need little memory.
 */
export const chunkBytes = 256 << 10;

/**
 * A query that passes each row on as text. The class `Query` of pg would create an array and emit an event for each
 * row.
 */
class RowQuery extends Query {
  constructor(
    config: QueryConfig,
    private readonly take: (row: string, bytes: number) => void,
  ) {
    super(config);
  }

  handleRowDescription(): void {
    // The description is not needed, because the only column is text.
  }

  /** `length` is the size of the message, which is slightly larger than the row. */
  handleDataRow({ fields, length }: { fields: [string]; length: number }): void {
    this.take(fields[0], length);
  }
}

/**
 * Reads rows in chunks. Between chunks, the connection is paused, so that PostgreSQL waits, and memory contains at most
 * one chunk and one row.
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

  get ended(): boolean {
    return this.done;
  }

  /** Returns the next chunk of rows, or an empty list after the last row. */
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
    // A full chunk may have paused the connection. The next statement needs a connection that is being read.
    this.socket.resume();
    this.wake();
  }
}
