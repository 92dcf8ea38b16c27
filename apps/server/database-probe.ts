import { setTimeout as delay } from 'node:timers/promises';
import { Database, type Session } from '#database';
import { Fault } from '#fault';

const connectTimeoutMs = 4_000;
const patienceMs = 5_000;
/** More than PostgreSQL finds in pages that it has already. */
const roomKb = 1_024;

/** Asks PostgreSQL how it is, over a connection that nobody else uses; each question ends within five seconds. */
export class DatabaseProbe {
  private database: Database | undefined;

  constructor(private readonly connectionString: string) {}

  /** Rejects where PostgreSQL does not answer. */
  async answers(): Promise<void> {
    await this.ask((session) => session.query({ text: 'SELECT', values: [] }));
  }

  /** Rejects where PostgreSQL takes no changes. */
  async takesChanges(): Promise<void> {
    await this.ask(async (session) => {
      const [row] = await session.query<{ readonly: string }>({
        text: `SELECT current_setting('transaction_read_only') AS readonly`,
        values: [],
      });
      if (row?.readonly === 'on') throw new Fault('busy', 'database.read-only', 'transactions are read-only');
    });
  }

  /** Rejects where PostgreSQL finds no room on its disk. What is written is gone with the transaction. */
  async hasRoom(): Promise<void> {
    await this.ask(async (session) => {
      await session.query({
        text: 'CREATE TEMPORARY TABLE room (filler text STORAGE PLAIN) ON COMMIT DROP',
        values: [],
      });
      await session.query({
        text: `INSERT INTO room SELECT repeat('x', 1024) FROM generate_series(1, $1)`,
        values: [roomKb],
      });
    });
  }

  async close(): Promise<void> {
    await this.database?.close();
  }

  private async ask(question: (session: Session) => Promise<unknown>): Promise<void> {
    const { connectionString } = this;
    const database = (this.database ??= new Database({
      connectionString,
      max: 1,
      applicationName: 'nodeledger watch',
      connectTimeoutMs,
      statementTimeoutMs: connectTimeoutMs,
    }));
    const late = new AbortController();
    try {
      await Promise.race([database.transaction(question), tooLate(late.signal)]);
    } catch (error) {
      // The next question has a connection of its own: this one may be what is broken.
      this.database = undefined;
      database.close().catch(() => undefined);
      throw error;
    } finally {
      late.abort();
    }
  }
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await delay(patienceMs, undefined, { signal, ref: false });
  throw new Fault('busy', 'database.silent', `no answer within ${patienceMs / 1_000} s`);
}
