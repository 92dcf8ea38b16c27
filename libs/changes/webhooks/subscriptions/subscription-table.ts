import { randomUUID } from 'node:crypto';
import { type Database, isoTime, type Session, type Sql, statement } from '#database';
import { Fault } from '#fault';
import type { ChangeFilter } from '../../filter/change-filter';
import type { SecretBox } from '../secrets/secret-box';
import { signingKey } from '../secrets/signing-secret';
import type { StreamPosition } from '../../stream/stream-position';
import { writeCursors } from './cursors';
import {
  mostSubscriptions,
  type NewSubscription,
  type PauseReason,
  previousSecretHours,
  type Subscription,
  type SubscriptionChange,
} from './subscription';

export const subscriptionChannel = 'nodeledger_subscriptions';

const columns = `id::text AS id, name, url, filter::text AS filter, revision, pause, failures, last_error AS "lastError",
  ${isoTime('created_at')} AS "createdAt", ${isoTime('paused_at')} AS "pausedAt",
  ${isoTime('failing_since')} AS "failingSince", ${isoTime('delivered_at')} AS "deliveredAt"`;

type Row = Omit<Subscription, 'filter'> & { readonly filter: string };

/** The table of subscriptions. Each method that changes a row notifies the process that delivers. */
export class SubscriptionTable {
  constructor(
    private readonly db: Database,
    /** Encrypts the secrets. Undefined if the service has no key for this. */
    private readonly box: SecretBox | undefined,
  ) {}

  async list(): Promise<Subscription[]> {
    const rows = await this.db.query<Row>({
      text: `SELECT ${columns} FROM nodeledger.subscriptions ORDER BY name`,
      values: [],
    });
    return rows.map(subscriptionOf);
  }

  /** Throws `webhooks.missing`. */
  find(name: string): Promise<Subscription> {
    return one(this.db, name, {
      text: `SELECT ${columns} FROM nodeledger.subscriptions WHERE name = $1`,
      values: [name],
    });
  }

  /**
   * Creates a subscription for the changes after the position. Throws `webhooks.no-key`, `webhooks.secret`,
   * `webhooks.exists` or `webhooks.too-many`.
   */
  async create({ name, url, filter, secret }: NewSubscription, position: StreamPosition): Promise<Subscription> {
    const id = randomUUID();
    const sealed = this.seal(secret, id);
    return this.db.transaction(async (session) => {
      // Takes a lock, so that two requests at the same time cannot exceed the limit together.
      await session.query(statement`SELECT pg_advisory_xact_lock(hashtextextended('nodeledger subscriptions', 0))`);
      const [found] = await session.query<{ total: number; same: number }>(statement`
        SELECT count(*) AS total, count(*) FILTER (WHERE name = ${name}) AS same FROM nodeledger.subscriptions`);
      if ((found?.same ?? 0) > 0) throw exists(name);
      if ((found?.total ?? 0) >= mostSubscriptions) throw tooMany();
      const created = await one(session, name, {
        text: `INSERT INTO nodeledger.subscriptions (id, name, url, filter, secret)
               VALUES ($1::uuid, $2, $3, $4::jsonb, $5) RETURNING ${columns}`,
        values: [id, name, url, JSON.stringify(filter), sealed],
      });
      await writeCursors(session, created, position, { back: true });
      await notify(session);
      return created;
    });
  }

  /** Throws `webhooks.missing`, `webhooks.no-key` or `webhooks.secret`. */
  change(name: string, { url, filter, secret }: SubscriptionChange): Promise<Subscription> {
    return this.update(name, async (session, { id }) => {
      await session.query(statement`
        UPDATE nodeledger.subscriptions SET url = ${url}, filter = ${JSON.stringify(filter)}::jsonb
        WHERE id = ${id}::uuid`);
      if (secret === undefined) return;
      await session.query(statement`
        UPDATE nodeledger.subscriptions SET secret = ${this.seal(secret, id)}, previous_secret = secret,
          previous_until = now() + ${previousSecretHours}::int * interval '1 hour'
        WHERE id = ${id}::uuid`);
    });
  }

  /** Throws `webhooks.missing`. */
  async remove(name: string): Promise<void> {
    await this.db.transaction(async (session) => {
      await one(session, name, {
        text: `DELETE FROM nodeledger.subscriptions WHERE name = $1 RETURNING ${columns}`,
        values: [name],
      });
      await notify(session);
    });
  }

  /** Throws `webhooks.missing`. */
  pause(name: string): Promise<Subscription> {
    return this.update(name, async (session, { id }) => {
      await session.query(pauseStatement(id, 'asked'));
    });
  }

  /** Resumes a subscription. The delivery continues at the cursors. Throws `webhooks.missing`. */
  resume(name: string): Promise<Subscription> {
    return this.update(name, async (session, { id }) => {
      await session.query(statement`
        UPDATE nodeledger.subscriptions SET pause = NULL, paused_at = NULL, failures = 0, failing_since = NULL
        WHERE id = ${id}::uuid`);
    });
  }

  /**
   * Moves the cursors to a position. The service then delivers the changes after this position, even if it has already
   * delivered some of them. Throws `webhooks.missing`.
   */
  replay(name: string, position: StreamPosition): Promise<Subscription> {
    return this.update(name, (session, found) => writeCursors(session, found, position, { back: true }));
  }

  /**
   * Pauses a subscription whose receiver fails. Does nothing if an administrator has changed the subscription
   * meanwhile.
   */
  async giveUp({ id, revision }: Pick<Subscription, 'id' | 'revision'>, reason: 'failing' | 'gone'): Promise<void> {
    await this.db.transaction(async (session) => {
      await session.query(statement`${pauseStatement(id, reason)} AND revision = ${revision}::bigint`);
      await notify(session);
    });
  }

  /**
   * Returns the keys that sign messages. For a day after a change of the secret, also returns the key of the previous
   * secret. Throws `webhooks.no-key`, `webhooks.sealed` or `webhooks.missing`.
   */
  async keys({ id, name }: Pick<Subscription, 'id' | 'name'>): Promise<Buffer[]> {
    const [row] = await this.db.query<{ secret: Buffer; previous: Buffer | null }>(statement`
      SELECT secret, CASE WHEN previous_until > now() THEN previous_secret END AS previous
      FROM nodeledger.subscriptions WHERE id = ${id}::uuid`);
    if (row === undefined) throw missing(name);
    const { box } = this;
    if (box === undefined) throw noKey();
    return [row.secret, row.previous]
      .filter((sealed) => sealed !== null)
      .map((sealed) => signingKey(box.open(sealed, id)));
  }

  private seal(secret: string, id: string): Buffer {
    signingKey(secret);
    if (this.box === undefined) throw noKey();
    return this.box.seal(secret, id);
  }

  /** Locks the subscription, so that two administrators cannot change it at the same time. Raises its revision. */
  private update(name: string, work: (session: Session, found: Subscription) => Promise<void>): Promise<Subscription> {
    return this.db.transaction(async (session) => {
      const found = await one(session, name, {
        text: `SELECT ${columns} FROM nodeledger.subscriptions WHERE name = $1 FOR UPDATE`,
        values: [name],
      });
      await work(session, found);
      const changed = await one(session, name, {
        text: `UPDATE nodeledger.subscriptions SET revision = revision + 1 WHERE id = $1::uuid RETURNING ${columns}`,
        values: [found.id],
      });
      await session.query(statement`
        UPDATE nodeledger.subscription_cursors SET revision = ${changed.revision} WHERE subscription = ${found.id}::uuid`);
      await notify(session);
      return changed;
    });
  }
}

async function one(db: Pick<Session, 'query'>, name: string, sql: Sql): Promise<Subscription> {
  const [row] = name.includes('\0') ? [] : await db.query<Row>(sql);
  if (row === undefined) throw missing(name);
  return subscriptionOf(row);
}

const subscriptionOf = ({ filter, ...row }: Row): Subscription => ({
  ...row,
  filter: JSON.parse(filter) as ChangeFilter,
});

/** If the subscription is already paused, it keeps its reason. */
const pauseStatement = (id: string, reason: PauseReason): Sql => statement`
  UPDATE nodeledger.subscriptions SET pause = ${reason}, paused_at = now() WHERE pause IS NULL AND id = ${id}::uuid`;

const notify = (session: Session): Promise<unknown> =>
  session.query({ text: `SELECT pg_notify($1, '')`, values: [subscriptionChannel] });

const missing = (name: string): Fault =>
  new Fault('missing', 'webhooks.missing', `There is no subscription ${JSON.stringify(name)}.`, {
    hint: '`nodeledger subscriptions list` shows the names.',
  });

const exists = (name: string): Fault =>
  new Fault('conflict', 'webhooks.exists', `There is a subscription ${JSON.stringify(name)} already.`, {
    hint: 'Choose another name, or change that subscription by PUT.',
  });

const tooMany = (): Fault =>
  new Fault('conflict', 'webhooks.too-many', `There are ${mostSubscriptions} subscriptions, which is the most.`, {
    hint: 'Remove one with `nodeledger subscriptions remove`.',
  });

const noKey = (): Fault =>
  new Fault('conflict', 'webhooks.no-key', 'The service has no key that encrypts the secrets of subscriptions.', {
    hint: 'Make a key with `openssl rand -base64 32`, name its file in NODELEDGER_WEBHOOK_KEY_FILE, and start the service again.',
  });
