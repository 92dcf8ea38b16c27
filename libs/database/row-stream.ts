import type { PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import { statementError } from './connection-fault';
import { breaksConnection } from './retriable';
import type { Sql } from './sql';
import { columnTypes } from './types';

export interface StreamOptions {
  /** Most rows of one chunk; default 1000. Chunks get smaller where rows are large. */
  readonly chunkRows?: number;
  /** Aborting cancels the statement in PostgreSQL; the iteration then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** statement_timeout, milliseconds; covers the whole reading. Throws Fault `database.timeout`. */
  readonly timeoutMs?: number;
}

/** Chunks are sized for about this many characters, so that memory stays flat whatever a row holds. */
const chunkCharacters = 512 << 10;
const firstChunkRows = 64;

/**
 * Reads a statement with one text column `row` through a portal in a read-only transaction, on a client of its own.
 * `cancel` must stop what that backend runs. Fault `database.cut-off` (busy) where the connection breaks meanwhile.
 */
export async function* streamRows(
  cancel: (processId: number) => Promise<void>,
  connect: () => Promise<PoolClient>,
  { text, values }: Sql,
  { chunkRows = 1000, signal, timeoutMs }: StreamOptions,
): AsyncGenerator<string[], void, undefined> {
  signal?.throwIfAborted();
  const client = await connect();
  const processId = (client as unknown as { processID: number }).processID;
  let cancelling: Promise<void> | undefined;
  const onAbort = (): void => {
    cancelling ??= cancel(processId).catch(() => undefined);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  let onEnd: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (onEnd = resolve));
  client.once('end', onEnd);
  let cursor: Cursor<string[]> | undefined;
  let finished = false;
  try {
    signal?.throwIfAborted();
    const limit = timeoutMs === undefined ? '' : `; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}`;
    await client.query(`BEGIN READ ONLY${limit}`);
    cursor = client.query(new Cursor<string[]>(text, values as unknown[], { rowMode: 'array', types: columnTypes }));
    let wanted = Math.min(chunkRows, firstChunkRows);
    for (;;) {
      const rows = await cursor.read(wanted);
      signal?.throwIfAborted();
      let characters = 0;
      const chunk = rows.map((row) => {
        const only = row[0] as string;
        characters += only.length;
        return only;
      });
      const last = rows.length < wanted;
      if (last) {
        await client.query('COMMIT');
        finished = true;
      }
      if (chunk.length > 0) yield chunk;
      if (last) return;
      const fitting = Math.floor(chunkCharacters / Math.max(1, characters / rows.length));
      wanted = Math.max(1, Math.min(chunkRows, fitting, wanted * 4));
    }
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (breaksConnection(error)) onEnd();
    throw statementError(error);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    // A cancel that is under way could hit the next user's statement: wait for it, and give the connection up.
    await cancelling;
    if (!finished && cancelling === undefined) {
      // A connection that is gone answers no request to close anything.
      finished = await Promise.race([leave(client, cursor), ended.then(() => false)]);
    }
    client.removeListener('end', onEnd);
    client.release(cancelling !== undefined || !finished);
  }
}

/** Closes what an early end left open; false where the connection is of no more use. */
async function leave(client: PoolClient, cursor: Cursor | undefined): Promise<boolean> {
  try {
    await cursor?.close();
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}
