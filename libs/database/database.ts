/**
 * A pool of connections to one database. Its methods throw faults of the kind `busy` (`database.unreachable`,
 * `database.crowded`, `database.cut-off`), of the kind `broken` (`database.refused`) and of the kind `timed-out`
 * (`database.timeout`). Other errors of PostgreSQL keep their SQLSTATE in `code`.
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
  readonly connectionString: string;
  /**
   * Largest number of connections in the pool. Default: 10. Cancelling statements uses at most two more connections,
   * and listening uses one more.
   */
  readonly max?: number;
  readonly applicationName?: string;
  readonly statementTimeoutMs?: number;
  readonly idleTransactionTimeoutMs?: number;
  /** Whether PostgreSQL refuses every write, even if the database user is allowed to write. */
  readonly readOnly?: boolean;
  readonly connectTimeoutMs?: number;
  /** Whether a connection sends a statement before the previous result has arrived. Cannot be used with COPY. */
  readonly pipeline?: boolean;
  /** Whether `reading` prepares repeated statements whose `canBePrepared` is true. */
  readonly keepPlans?: boolean;
  readonly watch?: PoolObserver;
}

/**
 * Age at which a connection with prepared statements is replaced, because statements about dropped tables would stay in
 * its memory.
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
    // JIT is off, because compiling these short statements takes longer than running them.
    const settings = [
      `SET jit = off`,
      `SET timezone = 'UTC'`,
      `SET intervalstyle = 'postgres'`,
      `SET bytea_output = 'hex'`,
    ];
    // Commits must be durable, whatever the default of the server.
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
      // The pool awaits the promise that `onConnect` returns, although its type says that `onConnect` returns nothing.
      onConnect: ((client: ClientBase) => client.query(settings.join('; '))) as unknown as (client: ClientBase) => void,
    });
    this.canceller = new Pool({ ...base, max: 2, idleTimeoutMillis: 10_000, allowExitOnIdle: true });
    for (const pool of [this.pool, this.canceller]) {
      // The pool replaces a broken idle connection at its next use. On a busy connection, the running statement reports
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
   * Opens a connection for one caller, for example for session locks and temporary tables. The caller must close it.
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
   * Runs work in a read transaction, in which all statements see the same state. Rows are streamed, so memory does not
   * grow with their number.
   */
  reading<R, T>(options: ReadOptions, work: (transaction: ReadTransaction<R>) => Promise<T>): Promise<T> {
    const connections = {
      connect: () => this.connect(),
      cancel: (processId: number) => this.cancel(processId),
      named: (sql: Sql) => this.named(sql),
    };
    return readInTransaction(connections, options, work);
  }

  /** Runs `COPY ... TO STDOUT` outside of a transaction. The chunks can end within a row. */
  async *copyOut(copyStatement: string): AsyncGenerator<Buffer, void, undefined> {
    const client = await this.connect();
    let whole = false;
    try {
      yield* new ClientSession(client).copyOut(copyStatement);
      whole = true;
    } finally {
      // If the caller stopped reading early, closes the connection. Otherwise the remaining rows would still have to be
      // read.
      client.release(!whole);
    }
  }

  /**
   * Calls `handler` for each notification, until the returned function is called. Notifications during a reconnect are
   * lost.
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
