/**
 * A transaction that only reads. If the signal aborts, it cancels the running statement, closes the connection and
 * throws the signal's reason. Other errors are thrown as `statementError` converts them.
 */
import type { Duplex } from 'node:stream';
import type { PoolClient } from 'pg';
import { withTimeout } from '#fault';
import { statementError } from './connection-fault';
import { breaksConnection } from './retriable';
import { RowReading } from './row-reading';
import { runOn } from './session';
import type { Sql } from './statement';

export interface ReadOptions {
  /** A statement without parameters. It is sent together with BEGIN, which saves a round trip. */
  readonly opening: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface ReadTransaction<R> {
  /** To save a round trip, start the next statement without awaiting these rows. */
  opening(): Promise<readonly R[]>;
  /** Yields the text column `row` in chunks of limited size. Sends the statement at the first `next`. */
  rows(sql: Sql): AsyncGenerator<string[], void, undefined>;
  one(sql: Sql): Promise<string | undefined>;
  /**
   * Ends the transaction before `work` has ended, and returns the connection to the pool. No further statement is
   * allowed.
   */
  end(): Promise<void>;
}

interface Connections {
  readonly connect: () => Promise<PoolClient>;
  readonly cancel: (processId: number) => Promise<void>;
  readonly named: (sql: Sql) => Sql;
}

/** If the transaction is idle for longer than the time limit of a statement plus this time, the server ends it. */
const silenceMs = 5_000;
const cancelMs = 1_000;

export async function readInTransaction<R, T>(
  connections: Connections,
  { opening, signal, timeoutMs }: ReadOptions,
  work: (transaction: ReadTransaction<R>) => Promise<T>,
): Promise<T> {
  const connecting = connections.connect();
  let client: PoolClient;
  try {
    client = await orAborted(connecting, signal);
  } catch (error) {
    // Releases a connection that arrives after the abort.
    connecting.then((late) => late.release()).catch(() => undefined);
    throw error;
  }
  const transaction = new OpenTransaction<R>(client, connections);
  const onAbort = (): void => void transaction.giveUp();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const limit = Math.ceil(timeoutMs);
    transaction.begin(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${limit}; ` +
        `SET LOCAL idle_in_transaction_session_timeout = ${limit + silenceMs}`,
      opening,
    );
    const doing = Promise.all([work(transaction), transaction.opening()]).then(([result]) => result);
    return await orAborted(doing, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (breaksConnection(error)) await transaction.giveUp();
    throw statementError(error);
  } finally {
    await (signal.aborted ? transaction.giveUp() : transaction.end());
    signal.removeEventListener('abort', onAbort);
  }
}

export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Ignores an error of the work after the abort.
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const openings = new WeakMap<PoolClient, Map<string, string>>();

class OpenTransaction<R> implements ReadTransaction<R> {
  private opened: Promise<readonly R[]> | undefined;
  private hasOpened = false;
  private running = 0;
  private ending: Promise<void> | undefined;
  private givingUp: Promise<void> | undefined;
  private released = false;
  private mustClose = false;

  constructor(
    private readonly client: PoolClient,
    private readonly connections: Connections,
  ) {}

  /**
   * Sends BEGIN and the opening statement. Each connection prepares this statement only once, because parsing and
   * planning would take a third of the time of BEGIN.
   */
  begin(text: string, opening: string): void {
    this.running++;
    const prepared = openings.get(this.client) ?? new Map<string, string>();
    openings.set(this.client, prepared);
    const known = prepared.get(opening);
    const name = known ?? `opening_${prepared.size + 1}`;
    const prepare = known === undefined ? `PREPARE ${name} AS ${opening}; ` : '';
    this.opened = runOn<R>(this.client, { text: `${text}; ${prepare}EXECUTE ${name}`, values: [] }).finally(() => {
      this.hasOpened = true;
      this.running--;
    });
    this.opened.then(
      () => prepared.set(opening, name),
      // After an error, it is unknown whether the statement was prepared, so the connection cannot be used again. The
      // callers of `opening` get the error.
      () => (this.mustClose = true),
    );
  }

  opening(): Promise<readonly R[]> {
    return this.opened ?? Promise.reject(new Error('the read transaction has not begun'));
  }

  async *rows(sql: Sql): AsyncGenerator<string[], void, undefined> {
    this.requireOpen();
    this.running++;
    const reading = new RowReading(this.client, this.connections.named(sql));
    try {
      // Also waits for BEGIN. If BEGIN fails, PostgreSQL still runs the statement, but outside of the transaction, so
      // its rows must not be used.
      const [chunk] = await Promise.all([reading.next(), this.opened]);
      for (let next = chunk; next.length > 0; next = await reading.next()) yield next;
    } catch (error) {
      throw statementError(error);
    } finally {
      // An unfinished statement stays in the count, so that the connection is not used again.
      if (reading.ended) this.running--;
    }
  }

  async one(sql: Sql): Promise<string | undefined> {
    let first: string | undefined;
    for await (const [row] of this.rows(sql)) first ??= row;
    return first;
  }

  end(): Promise<void> {
    this.ending ??= this.givingUp ?? this.finish();
    return this.ending;
  }

  giveUp(): Promise<void> {
    this.givingUp ??= this.cutOff();
    return this.givingUp;
  }

  private requireOpen(): void {
    if (this.ending !== undefined || this.givingUp !== undefined) throw new Error('the read transaction has ended');
  }

  private async finish(): Promise<void> {
    // If the work throws before its first statement, waits for the end of BEGIN, so that the connection can be used
    // again.
    if (!this.hasOpened) await this.opened?.catch(() => undefined);
    await (this.running > 0 ? this.giveUp() : this.commit());
  }

  private async commit(): Promise<void> {
    let broken = false;
    try {
      await this.client.query('COMMIT');
    } catch {
      broken = true;
    }
    if (this.givingUp === undefined) this.release(broken || this.mustClose);
  }

  private async cutOff(): Promise<void> {
    if (this.released) return;
    const { processID } = this.client as unknown as { processID: number };
    // Waits for the end of the cancel, because a late cancel could stop a statement of the next user of the connection.
    if (this.running > 0) {
      await withTimeout(this.connections.cancel(processID), cancelMs).catch(() => undefined);
    }
    this.release(true);
  }

  private release(broken: boolean): void {
    if (this.released) return;
    this.released = true;
    this.client.release(broken);
    // Destroys the socket, because pg would wait for the end of pipelined statements before it closes the connection,
    // and an unread statement never ends.
    if (broken) (this.client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
  }
}
