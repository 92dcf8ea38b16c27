import { type Database, statement } from '#database';
import { isFault } from '#fault';
import { timeOf } from '../time-of';

export interface AuditEntry {
  readonly at: Date;
  /**
   * `certificate NAME`, `token NAME`, `certificate NAME with the token NAME`, `user NAME` for a user of the operating
   * system, or `anonymous`.
   */
  readonly actor: string;
  readonly address: string | null;
  readonly action: string;
  /** Object of the action, such as a certname. Null if the action has none. */
  readonly subject: string | null;
  /** `done` or `failed: CODE`. Null while the action runs, and forever if the process ended during the action. */
  readonly outcome: string | null;
}

export type AuditedAction = Pick<AuditEntry, 'actor' | 'address' | 'action' | 'subject'>;

const longestSubject = 1_000;

/** Stores an entry before its action begins, so that no action is missing. */
export class AuditLog {
  constructor(private readonly db: Database) {}

  async record<T>({ actor, address, action, subject }: AuditedAction, work: () => Promise<T>): Promise<T> {
    const about = subject === null ? null : storable(subject);
    const [row] = await this.db.query<{ id: string }>(statement`
      INSERT INTO nodeledger.audit_log (actor, address, action, subject)
      VALUES (${storable(actor)}, ${address}, ${action}, ${about}) RETURNING id::text AS id`);
    const end = (outcome: string): Promise<unknown> =>
      this.db.query(
        statement`UPDATE nodeledger.audit_log SET outcome = ${outcome}, ended = now() WHERE id = ${row?.id}::bigint`,
      );
    let result: T;
    try {
      result = await work();
    } catch (error) {
      await end(`failed: ${isFault(error) ? error.code : 'unexpected error'}`).catch(() => undefined);
      throw error;
    }
    // The action has succeeded, even if its outcome cannot be stored.
    await end('done').catch(() => undefined);
    return result;
  }

  async list({ limit, before }: { readonly limit: number; readonly before?: Date | undefined }): Promise<AuditEntry[]> {
    const rows = await this.db.query<Omit<AuditEntry, 'at'> & { readonly at: string }>(statement`
      SELECT at, actor, address, action, subject, outcome FROM nodeledger.audit_log
      WHERE at < ${before ?? 'infinity'}::timestamptz ORDER BY at DESC, id DESC LIMIT ${limit}`);
    return rows.map((row) => ({ ...row, at: timeOf(row.at) }));
  }

  async purge(before: Date): Promise<number> {
    const gone = await this.db.query(statement`DELETE FROM nodeledger.audit_log WHERE at < ${before} RETURNING id`);
    return gone.length;
  }
}

const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').slice(0, longestSubject);
