import { Database, type Session } from '#database';
import { Fault, withTimeout } from '#fault';

const connectTimeoutMs = 4_000;
const patienceMs = 5_000;
/** The probe writes this many kilobytes, which do not fit into existing pages, so PostgreSQL must extend a file. */
const roomKb = 1_024;

export const questions = ['answers', 'takes changes', 'has room'] as const;
type Question = (typeof questions)[number];

/** Each kind of probe has its own connection and time limit, so that a slow probe does not delay the others. */
export class DatabaseProbe {
  private readonly databases = new Map<Question, Database>();

  constructor(private readonly connectionString: string) {}

  async answers(): Promise<void> {
    await this.ask('answers', (session) => session.query({ text: 'SELECT', values: [] }));
  }

  async takesChanges(): Promise<void> {
    await this.ask('takes changes', async (session) => {
      const [row] = await session.query<{ readonly: string }>({
        text: `SELECT current_setting('transaction_read_only') AS readonly`,
        values: [],
      });
      if (row?.readonly === 'on') throw new Fault('busy', 'database.read-only', 'transactions are read-only');
    });
  }

  /** Writes a temporary table. Rejects if PostgreSQL finds no space on its disk. */
  async hasRoom(): Promise<void> {
    await this.ask('has room', async (session) => {
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
    await Promise.all([...this.databases.values()].map((database) => database.close()));
  }

  private async ask(question: Question, work: (session: Session) => Promise<unknown>): Promise<void> {
    const database = this.databases.get(question) ?? this.connect();
    this.databases.set(question, database);
    try {
      const answered = await withTimeout(
        database.transaction(work).then(() => true),
        patienceMs,
      );
      if (!answered) throw new Fault('busy', 'database.silent', `no answer within ${patienceMs / 1_000} s`);
    } catch (error) {
      // The connection may be broken, so the next probe opens a new one.
      if (this.databases.get(question) === database) this.databases.delete(question);
      database.close().catch(() => undefined);
      throw error;
    }
  }

  private connect(): Database {
    return new Database({
      connectionString: this.connectionString,
      max: 1,
      applicationName: 'nodeledger watch',
      connectTimeoutMs,
      statementTimeoutMs: connectTimeoutMs,
    });
  }
}
