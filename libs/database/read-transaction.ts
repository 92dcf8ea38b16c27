/**
 * Takes a connection of the pool for one REPEATABLE READ READ ONLY transaction; gives the work inside it one snapshot for
 * all its statements. Whatever the work does, an abort ends the transaction: its statement is cancelled, its connection
 * given up. Throws the signal's reason then; otherwise what the work throws, with the faults of statementError.
 */
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { statementError } from './connection-fault';
import { breaksConnection } from './retriable';
import { RowReading } from './row-reading';
import { runOn } from './session';
import type { Sql } from './statement';

export interface ReadOptions {
  /** A statement without values. Its rows come with the begin of the transaction and cost no further round trip. */
  readonly opening: string;
  /** Aborting cancels what runs in PostgreSQL and gives the connection up, whatever the work is doing. */
  readonly signal: AbortSignal;
  /** statement_timeout of each statement, milliseconds. */
  readonly timeoutMs: number;
}

/** What the work inside a read transaction can do. One statement at a time. */
export interface ReadTransaction<R> {
  /** The rows of the opening statement. A first statement that does not wait for them costs no round trip of its own. */
  opening(): Promise<readonly R[]>;
  /** The statement's one text column `row`, in chunks cut by bytes; nothing is asked before the first `next`. */
  rows(sql: Sql): AsyncGenerator<string[], void, undefined>;
  /** The first row of a statement that gives few: it is read to its end. */
  one(sql: Sql): Promise<string | undefined>;
  /** Gives the connection back before the work is over. Nothing can be read afterwards. */
  end(): Promise<void>;
}

interface Connections {
  readonly connect: () => Promise<PoolClient>;
  /** Stops what that backend runs. */
  readonly cancel: (processId: number) => Promise<void>;
  /** The statement with the name under which it is prepared, if it is to be. */
  readonly named: (sql: Sql) => Sql;
}

/** The server ends a transaction whose owner has been silent for as long after the owner's own deadline. */
const silenceMs = 5_000;
/** A cancel that takes longer is not waited for: the connection is closed, which ends all but a long computation. */
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
    // If the connection arrives after the query has been given up, it is returned to the pool unused.
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

/** What `work` gives, unless the signal aborts first. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // It may still fail when nobody waits for it any more.
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

/** The opening statements that each connection has prepared, with their names. */
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

  /** A connection prepares its opening statement once: to parse and plan it takes a third of the begin. */
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
      // Readers of the rows get the error. The connection is closed, because it is unknown whether the statement is prepared.
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
      // A statement outside the transaction gives no rows: if the begin fails, PostgreSQL still takes what follows it.
      const [chunk] = await Promise.all([reading.next(), this.opened]);
      for (let next = chunk; next.length > 0; next = await reading.next()) yield next;
    } catch (error) {
      throw statementError(error);
    } finally {
      // A statement that was left in the middle goes on counting as running: its connection is of no more use.
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
    // What the work refuses before it reads is no reason to lose the connection.
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
    // A cancel that is under way could hit the next user's statement: the connection is never used again.
    if (this.running > 0) {
      const given = new AbortController();
      const late = delay(cancelMs, undefined, { signal: given.signal }).catch(() => undefined);
      await Promise.race([this.connections.cancel(processID).catch(() => undefined), late]);
      given.abort();
    }
    this.release(true);
  }

  private release(broken: boolean): void {
    if (this.released) return;
    this.released = true;
    this.client.release(broken);
    // With pipelining, pg first waits for the end of the statements. One whose rows nobody reads any more does not end.
    if (broken) (this.client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
  }
}
