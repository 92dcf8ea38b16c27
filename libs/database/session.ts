import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { ClientBase, QueryResult } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { statementError } from './connection-fault';
import type { Sql } from './statement';

export interface Session {
  /** If `values` is empty, the text can contain several statements, and the rows of the last statement are returned. */
  query<R>(sql: Sql): Promise<R[]>;
  copyIn(copyStatement: string, text: AsyncIterable<string | Buffer> | string): Promise<void>;
  /** The chunks can end within a row. */
  copyOut(copyStatement: string): AsyncIterable<Buffer>;
}

/** A connection that is reserved for one caller. `query` runs each statement outside of a transaction. */
export interface OwnSession extends Pick<Session, 'query'> {
  transaction<T>(begin: string, work: (session: Session) => Promise<T>): Promise<T>;
  /** Releases the locks of the connection and drops its temporary tables. */
  close(): void;
}

/** No other statement must be running on the client. */
export async function runOn<R>(client: ClientBase, { text, values, name }: Sql): Promise<R[]> {
  try {
    const result = (await client.query({
      text,
      ...(values.length > 0 && { values: values as unknown[] }),
      ...(name !== undefined && { name }),
    })) as QueryResult | QueryResult[];
    const last = Array.isArray(result) ? result[result.length - 1] : result;
    return (last?.rows ?? []) as R[];
  } catch (error) {
    throw statementError(error);
  }
}

export class ClientSession implements Session {
  constructor(private readonly client: ClientBase) {}

  query<R>(sql: Sql): Promise<R[]> {
    return runOn<R>(this.client, sql);
  }

  async copyIn(copyStatement: string, text: AsyncIterable<string | Buffer> | string): Promise<void> {
    const source = Readable.from(typeof text === 'string' ? [text] : text);
    await pipeline(source, this.client.query(copyFrom(copyStatement)));
  }

  copyOut(copyStatement: string): AsyncIterable<Buffer> {
    return this.client.query(copyTo(copyStatement));
  }
}
