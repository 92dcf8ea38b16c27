/**
 * Delivers the changes of all subscriptions. Only the process that holds an advisory lock of PostgreSQL delivers.
 * PostgreSQL releases the lock when this process dies. For a moment after a lost connection, two processes can deliver.
 * Receivers then get some changes twice, but the cursors never move back.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type OwnSession, statement } from '#database';
import type { Alerts } from '#observe';
import { failsLastingly, namesOf, type Subscription } from '../subscriptions/subscription';
import { subscriptionChannel } from '../subscriptions/subscription-table';
import { AppliedMonitor } from './applied-monitor';
import { type DeliveryParts, SubscriptionDelivery } from './subscription-delivery';

export interface WebhooksOptions {
  readonly parts: Omit<DeliveryParts, 'monitor'>;
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>;
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds between two checks of the subscriptions and the lock. Default: two seconds. */
  readonly everyMs?: number;
}

const cleanEveryMs = 60_000;
/**
 * Shortest time in milliseconds between two reads of a delivery, so that each read returns the changes of several
 * commits.
 */
const readEveryMs = 1_000;

interface Running {
  readonly delivery: SubscriptionDelivery;
  readonly stopping: AbortController;
  readonly ended: Promise<void>;
}

export class Webhooks {
  private readonly stopping = new AbortController();
  private readonly running = new Map<string, Running>();
  private wake: () => void = () => undefined;
  private cleanedAt = performance.now();
  private ended: Promise<void> = Promise.resolve();

  private readonly parts: DeliveryParts;

  constructor(private readonly options: WebhooksOptions) {
    const { db, reader } = options.parts;
    this.parts = { ...options.parts, monitor: new AppliedMonitor(db, reader, readEveryMs) };
  }

  start(): void {
    this.ended = this.run();
  }

  /** Interrupts requests to receivers. The changes in these requests are delivered again later. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.ended;
  }

  /**
   * Returns a map from the name of each subscription that this process delivers to the age, in seconds, of its oldest
   * undelivered change.
   */
  lags(): ReadonlyMap<string, number> {
    const now = Date.now();
    return new Map(
      [...this.running.values()].map(({ delivery: { subscription, behindSince } }) => [
        subscription.name,
        behindSince === undefined ? 0 : Math.max(0, now - behindSince) / 1_000,
      ]),
    );
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      let session: OwnSession | undefined;
      try {
        session = await this.parts.db.session();
        if (await isHolder(session)) await this.hold(session);
      } catch (error) {
        if (!this.stopping.signal.aborted) this.options.onFailure(error);
      } finally {
        await this.stopAll();
        session?.close();
      }
      await this.pause();
    }
    this.options.alerts.clear('webhooks.failing');
    this.options.alerts.clear('webhooks.paused');
  }

  private async hold(session: OwnSession): Promise<void> {
    const { parts } = this;
    const unlisten = await parts.db.listen(subscriptionChannel, () => this.wake());
    try {
      while (!this.stopping.signal.aborted) {
        const subscriptions = await parts.table.list();
        await this.adapt(subscriptions);
        this.raiseAlerts(subscriptions);
        if (performance.now() - this.cleanedAt > cleanEveryMs) {
          this.cleanedAt = performance.now();
          await parts.log.clean();
        }
        await this.pause();
        // This empty statement fails if the connection that holds the lock is lost.
        await session.query(statement`SELECT`);
      }
    } finally {
      await unlisten();
    }
  }

  private async adapt(subscriptions: readonly Subscription[]): Promise<void> {
    const wanted = new Map(subscriptions.filter(({ pause }) => pause === null).map((one) => [one.id, one]));
    const isStale = ({ id, revision }: Subscription): boolean => wanted.get(id)?.revision !== revision;
    const stale = [...this.running.values()].filter(({ delivery }) => isStale(delivery.subscription));
    await Promise.all(stale.map((running) => this.end(running)));
    for (const subscription of wanted.values()) {
      if (!this.running.has(subscription.id)) this.begin(subscription);
    }
  }

  private begin(subscription: Subscription): void {
    const delivery = new SubscriptionDelivery(subscription, this.parts);
    const stopping = new AbortController();
    const ended = delivery
      .run(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) this.options.onFailure(error);
      })
      // If a delivery has ended by itself, the next check of the subscriptions starts it again.
      .finally(() => this.running.delete(subscription.id));
    this.running.set(subscription.id, { delivery, stopping, ended });
  }

  private async end({ stopping, ended }: Running): Promise<void> {
    stopping.abort();
    await ended;
  }

  private async stopAll(): Promise<void> {
    await Promise.all([...this.running.values()].map((running) => this.end(running)));
  }

  private raiseAlerts(subscriptions: readonly Subscription[]): void {
    const { alerts } = this.options;
    const paused = subscriptions.filter(({ pause }) => pause === 'failing' || pause === 'gone');
    const failing = subscriptions.filter(failsLastingly);
    if (failing.length === 0) alerts.clear('webhooks.failing');
    else {
      alerts.raise('webhooks.failing', {
        message: `Changes cannot be delivered to ${namesOf(failing)}: ${failing[0]?.lastError ?? 'unknown'}.`,
        effect: 'They are delivered later, in their order. Other subscriptions get their changes.',
        hint: '`nodeledger subscriptions deliveries NAME` shows the attempts. The service pauses a subscription after NODELEDGER_WEBHOOK_GIVE_UP.',
        severity: 'warning',
      });
    }
    if (paused.length === 0) alerts.clear('webhooks.paused');
    else {
      alerts.raise('webhooks.paused', {
        message: `Subscriptions are paused because their receivers failed: ${namesOf(paused)}.`,
        effect: 'Their changes wait, as long as the history keeps them (NODELEDGER_HISTORY).',
        hint: 'Repair the receiver, then run `nodeledger subscriptions resume NAME`. Or remove the subscription.',
      });
    }
  }

  private async pause(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const woken = new AbortController();
    this.wake = () => woken.abort();
    await delay(this.options.everyMs ?? 2_000, undefined, { signal: woken.signal, ref: false }).catch(() => undefined);
    this.wake = () => undefined;
  }
}

async function isHolder(session: OwnSession): Promise<boolean> {
  const [row] = await session.query<{ taken: boolean }>(
    statement`SELECT pg_try_advisory_lock(hashtextextended('nodeledger webhooks', 0)) AS taken`,
  );
  return row?.taken === true;
}
