/**
 * Runs statements and transactions, streams rows, and listens to notifications over a pool of connections. Faults:
 * `database.unreachable`, `database.crowded` (busy), `database.refused` (broken), `database.timeout` (timed-out),
 * `database.cut-off` (busy). Other errors of PostgreSQL keep their SQLSTATE in `code`.
 */
import { Pool, type ClientBase, type PoolClient } from 'pg';
import { connectionFault } from './connection-fault';
import { Listener } from './listener';
import { countConnections, type PoolCounts, type PoolObserver, watchConnectionUse } from './pool-observer';
import { readInTransaction, type ReadOptions, type ReadTransaction } from './read-transaction';
import { breaksConnection } from './retriable';
import { ClientSession, type OwnSession, runOn, type Session } from './session';
import type { Sql } from './statement';
import { StatementNames } from './statement-names';
import { columnTypes } from './types';

export interface DatabaseOptions {
  /** postgresql://user:password@host:port/database */
  readonly connectionString: string;
  /** Most connections of the pool; default 10. Cancelling and listening use one more each. */
  readonly max?: number;
  readonly applicationName?: string;
  /** statement_timeout of every statement, milliseconds; none by default. */
  readonly statementTimeoutMs?: number;
  /** idle_in_transaction_session_timeout, milliseconds; none by default. */
  readonly idleTransactionTimeoutMs?: number;
  /** Transactions are read-only, in addition to the user's own rights. */
  readonly readOnly?: boolean;
  /** Longest wait for a connection, milliseconds; default 30,000. */
  readonly connectTimeoutMs?: number;
  /** Sends a statement before the result of the previous one has arrived. Not for COPY. */
  readonly pipeline?: boolean;
  /**
   * `reading` prepares statements that are repeated and whose plan does not depend on values. Connections are replaced
   * every few minutes.
   */
  readonly keepPlans?: boolean;
  /** Told how callers wait for connections and use them. */
  readonly watch?: PoolObserver;
}

/**
 * Lifetime of a connection with prepared statements. Closing the connection frees the statements of dropped tables.
 * PostgreSQL replaces a plan when its tables are analyzed.
 */
const planLifetimeMs = 300_000;

export class Database {
  private readonly pool: Pool;
  private readonly canceller: Pool;
  private readonly listener: Listener;
  private readonly watch: PoolObserver | undefined;
  private readonly names: StatementNames | undefined;
  private closing: Promise<void> | undefined;

  constructor(options: DatabaseOptions) {
    const { connectionString, max = 10, applicationName = 'nodeledger', statementTimeoutMs, readOnly } = options;
    const { connectTimeoutMs = 30_000, pipeline = false, keepPlans = false } = options;
    const base = {
      connectionString,
      application_name: applicationName,
      keepAlive: true,
      types: columnTypes,
      connectionTimeoutMillis: connectTimeoutMs,
    };
    // Compiling a plan to machine code takes longer than these short statements.
    const settings = [
      `SET jit = off`,
      `SET timezone = 'UTC'`,
      `SET intervalstyle = 'postgres'`,
      `SET bytea_output = 'hex'`,
    ];
    // An acknowledgement promises a durable record, even if the server's default is asynchronous commit.
    settings.push(
      `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')`,
    );
    if (statementTimeoutMs !== undefined) settings.push(`SET statement_timeout = ${Math.ceil(statementTimeoutMs)}`);
    const { idleTransactionTimeoutMs: idleMs } = options;
    if (idleMs !== undefined) settings.push(`SET idle_in_transaction_session_timeout = ${Math.ceil(idleMs)}`);
    if (readOnly === true) settings.push('SET default_transaction_read_only = on');
    this.pool = new Pool({
      ...base,
      max,
      pipeline,
      idleTimeoutMillis: 60_000,
      ...(keepPlans && { maxLifetimeSeconds: planLifetimeMs / 1000 }),
      // The pool waits for the promise, although its declared type does not say so.
      onConnect: ((client: ClientBase) => client.query(settings.join('; '))) as unknown as (client: ClientBase) => void,
    });
    this.canceller = new Pool({ ...base, max: 2, idleTimeoutMillis: 10_000, allowExitOnIdle: true });
    for (const pool of [this.pool, this.canceller]) {
      // An idle connection that breaks is replaced at the next use. If the connection is in use, its statement reports
      // the error.
      pool.on('error', () => undefined);
      pool.on('connect', (client) => client.on('error', () => undefined));
    }
    this.listener = new Listener(base);
    this.watch = options.watch;
    this.names = keepPlans ? new StatementNames(planLifetimeMs) : undefined;
    if (options.watch !== undefined) watchConnectionUse(this.pool, options.watch);
  }

  get connections(): PoolCounts {
    return countConnections(this.pool);
  }

  async query<R>(sql: Sql): Promise<R[]> {
    const client = await this.connect();
    let broken = false;
    try {
      return await runOn<R>(client, sql);
    } catch (error) {
      broken = breaksConnection(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Runs the function in a transaction on one connection. Rolls back if the function throws. */
  async transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.connect();
    let broken = false;
    try {
      await client.query('BEGIN');
      const result = await work(new ClientSession(client));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      broken = breaksConnection(error);
      if (!broken) {
        await client.query('ROLLBACK').catch(() => {
          broken = true;
        });
      }
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /**
   * Returns a connection outside the pool's transactions, for session locks and temporary tables. The caller must close
   * it.
   */
  async session(): Promise<OwnSession> {
    const client = await this.connect();
    const session = new ClientSession(client);
    let closed = false;
    return {
      query: (sql) => session.query(sql),
      transaction: async (begin, work) => {
        await session.query({ text: begin, values: [] });
        try {
          const result = await work(session);
          await session.query({ text: 'COMMIT', values: [] });
          return result;
        } catch (error) {
          await session.query({ text: 'ROLLBACK', values: [] }).catch(() => undefined);
          throw error;
        }
      },
      close: () => {
        if (!closed) client.release(true);
        closed = true;
      },
    };
  }

  /**
   * Runs the function in one REPEATABLE READ READ ONLY transaction on its own connection. All its statements see the
   * same state, and memory stays flat for any number of rows.
   */
  reading<R, T>(options: ReadOptions, work: (transaction: ReadTransaction<R>) => Promise<T>): Promise<T> {
    const connections = {
      connect: () => this.connect(),
      cancel: (processId: number) => this.cancel(processId),
      named: (sql: Sql) => this.named(sql),
    };
    return readInTransaction(connections, options, work);
  }

  /** Runs `COPY ... TO STDOUT` outside a transaction, and yields the bytes as they arrive, split anywhere. */
  async *copyOut(copyStatement: string): AsyncGenerator<Buffer, void, undefined> {
    const client = await this.connect();
    let whole = false;
    try {
      yield* new ClientSession(client).copyOut(copyStatement);
      whole = true;
    } finally {
      // A copy that was stopped in the middle would have to be read to its end, so the connection is closed.
      client.release(!whole);
    }
  }

  /**
   * Calls `handler` for each NOTIFY on the channel until the returned function is called. Listener says which
   * notifications can be lost.
   */
  async listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>> {
    return this.listener.listen(channel, handler).catch((error: unknown) => {
      throw connectionFault(error);
    });
  }

  close(): Promise<void> {
    this.closing ??= Promise.all([this.listener.close(), this.pool.end(), this.canceller.end()]).then(() => undefined);
    return this.closing;
  }

  private async connect(): Promise<PoolClient> {
    const startedAt = performance.now();
    try {
      const client = await this.pool.connect();
      this.watch?.waited(performance.now() - startedAt);
      return client;
    } catch (error) {
      this.watch?.failed();
      throw connectionFault(error);
    }
  }

  private named(sql: Sql): Sql {
    const name = sql.canBePrepared === true ? this.names?.nameOf(sql.text) : undefined;
    return name === undefined ? sql : { ...sql, name };
  }

  private async cancel(processId: number): Promise<void> {
    await this.canceller.query('SELECT pg_cancel_backend($1)', [processId]);
  }
}
