import { type Database, isoTime, statement } from '#database';
import type { Revision } from '../subscriptions/cursors';
import type { Attempt } from './send-webhook';

export interface SentChange {
  readonly event: string;
  readonly type: string;
  readonly certname: string | null;
}

export interface Delivery extends SentChange {
  readonly id: number;
  readonly at: string;
  /** Null if there was no answer. */
  readonly status: number | null;
  readonly ms: number;
  /** Null if the attempt succeeded. */
  readonly error: string | null;
}

const keptDeliveries = 1_000;
const keptDays = 7;

export class DeliveryLog {
  constructor(private readonly db: Database) {}

  /**
   * Records an attempt after which the cursor does not move, for example a failed attempt. Does nothing if the
   * subscription was removed.
   */
  async add(subscription: string, { event, type, certname }: SentChange, attempt: Attempt): Promise<void> {
    await this.db.query(statement`
      INSERT INTO nodeledger.deliveries (subscription, event, type, certname, status, ms, error)
      SELECT id, ${event}, ${type}, ${certname}, ${attempt.status}::int, ${attempt.ms}, ${attempt.error ?? null}
      FROM nodeledger.subscriptions WHERE id = ${subscription}::uuid FOR KEY SHARE`);
  }

  /**
   * Records a success, and moves the cursor of a partition to `nextOffset`. Returns false and leaves the cursor
   * unchanged if the subscription was changed or removed, or if another process has moved the cursor to another log.
   * Locks the subscription before the cursor, because changes by administrators lock in this order.
   */
  async addPassed(
    { id, revision }: Revision,
    { event, type, certname }: SentChange,
    attempt: Attempt,
    passed: {
      readonly log: string;
      readonly partition: number;
      readonly nextOffset: number;
      readonly receivedAt: string;
    },
  ): Promise<boolean> {
    const [row] = await this.db.query<{ moved: number }>(statement`
      WITH logged AS (
        INSERT INTO nodeledger.deliveries (subscription, event, type, certname, status, ms)
        SELECT id, ${event}, ${type}, ${certname}, ${attempt.status}::int, ${attempt.ms}
        FROM nodeledger.subscriptions WHERE id = ${id}::uuid FOR KEY SHARE RETURNING subscription
      ), moved AS (
        UPDATE nodeledger.subscription_cursors c
        SET next_offset = greatest(c.next_offset, ${passed.nextOffset}), passed_at = greatest(c.passed_at, ${passed.receivedAt}::timestamptz)
        FROM logged WHERE c.subscription = logged.subscription AND c.log_partition = ${passed.partition} AND c.log = ${passed.log}
          AND c.revision = ${revision}::bigint RETURNING 1
      )
      SELECT count(*) AS moved FROM moved`);
    return row?.moved === 1;
  }

  /** Returns attempts, the latest first. `before` is the id of an attempt: only earlier attempts are returned. */
  list(
    subscription: string,
    { limit, before }: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<Delivery[]> {
    return this.db.query<Delivery>({
      text: `SELECT id, ${isoTime('at')} AS at, event, type, certname, status, ms, error FROM nodeledger.deliveries
             WHERE subscription = $1::uuid AND id < coalesce($2::bigint, 9223372036854775807) ORDER BY id DESC LIMIT $3`,
      values: [subscription, before ?? null, limit],
    });
  }

  async clean(): Promise<void> {
    await this.db.query(statement`
      DELETE FROM nodeledger.deliveries d USING (
        SELECT s.id, (SELECT k.id FROM nodeledger.deliveries k WHERE k.subscription = s.id
          ORDER BY k.id DESC OFFSET ${keptDeliveries - 1}::int LIMIT 1) AS oldest FROM nodeledger.subscriptions s) kept
      WHERE d.subscription = kept.id AND (d.id < kept.oldest OR d.at < now() - ${keptDays}::int * interval '1 day')`);
  }
}
