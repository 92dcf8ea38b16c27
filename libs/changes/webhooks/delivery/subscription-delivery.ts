/**
 * Delivers changes for one revision of a subscription. Each change is delivered at least once, and the changes in a
 * partition are delivered in the order of the log. A cursor moves only after the receiver has answered 2xx for all
 * changes from a record. After a failure, the delivery waits and sends the same messages again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, statement } from '#database';
import { isFault, retryDelay, type RetryDelays } from '#fault';
import { changeCondition } from '../../filter/change-filter';
import type { ChangeRow } from '../../stream/change';
import type { ChangeGroup, ChangeReader } from '../../stream/change-reader';
import { ChangesGone } from '../../stream/history-state';
import type { StreamPosition } from '../../stream/stream-position';
import { Cursors } from '../subscriptions/cursors';
import type { Subscription } from '../subscriptions/subscription';
import type { SubscriptionTable } from '../subscriptions/subscription-table';
import { type ChangeMessage, changeMessage } from './change-message';
import type { AppliedMonitor } from './applied-monitor';
import type { DeliveryLog } from './delivery-log';
import { type Attempt, type SenderOptions, WebhookSender } from './send-webhook';
import type { WebhookObserver } from './webhook-observer';

export interface DeliveryParts {
  readonly db: Database;
  readonly reader: ChangeReader;
  readonly monitor: AppliedMonitor;
  readonly table: SubscriptionTable;
  readonly log: DeliveryLog;
  readonly sender: SenderOptions;
  readonly observer: WebhookObserver;
  readonly giveUpMs: number;
  readonly delays?: RetryDelays;
}

/** Number of messages that are sent at the same time. All of them are from different partitions. */
const connections = 4;
/**
 * Number of changes that the delivery reads at once. A group can be larger, because all changes from a record are read
 * together.
 */
const changesAtOnce = 50;
/** While the filter excludes all changes, the delivery saves the cursors only once in this many milliseconds. */
const saveEveryMs = 5_000;
/**
 * Milliseconds after which the delivery reads the signing keys again. So it stops signing with the previous secret soon
 * after this secret has expired.
 */
const keysMs = 60_000;
const defaultDelays: RetryDelays = { firstMs: 1_000, longestMs: 600_000 };

type PartitionQueue = ChangeMessage[];

interface Messages extends Pick<ChangeGroup, 'position' | 'isLast'> {
  readonly queues: PartitionQueue[];
}

interface Failure {
  readonly error: string;
  readonly status?: number | null;
  readonly retryAfterMs?: number;
  /**
   * Whether the service itself cannot send, for example because it has no key. Such failures never pause the
   * subscription.
   */
  readonly isOwn?: boolean;
}

/** `ended` means that the subscription was changed or removed, or that the service stops. */
type Outcome = 'delivered' | 'ended' | Failure;

export class SubscriptionDelivery {
  private failures: number;
  private failingSince: number | undefined;
  private isOwnFailure = false;
  private waitingSince: number | undefined;
  private savedAt = -Infinity;
  /**
   * The log to which the cursors belong. If this member is set, a cursor moves after each message that was delivered.
   * If it is undefined, all cursors move together when the whole group was delivered.
   */
  private movesIn: string | undefined;
  private readonly forgotten = new Set<number>();
  private sender: { readonly sender: WebhookSender; readonly openedAt: number } | undefined;
  private readonly cursors: Cursors;

  constructor(
    readonly subscription: Subscription,
    private readonly parts: DeliveryParts,
  ) {
    this.failures = subscription.failures;
    this.failingSince = subscription.failingSince === null ? undefined : Date.parse(subscription.failingSince);
    this.cursors = new Cursors(parts.db, subscription);
  }

  /**
   * Time of receipt of the oldest undelivered change, in milliseconds since 1970. Undefined if the receiver has all
   * changes.
   */
  get behindSince(): number | undefined {
    return this.waitingSince;
  }

  /**
   * Delivers until the signal aborts, or until the subscription is paused, changed or removed. Throws errors of the
   * database.
   */
  async run(stopping: AbortSignal): Promise<void> {
    try {
      let position = await this.cursors.read();
      while (position !== undefined && !stopping.aborted) position = await this.deliverNext(position, stopping);
    } finally {
      this.sender?.sender.close();
      this.sender = undefined;
    }
  }

  /**
   * Delivers the changes after a position. If there are none, waits for further records. Returns the position after the
   * delivered changes, or undefined if this delivery ends.
   */
  private async deliverNext(position: StreamPosition, stopping: AbortSignal): Promise<StreamPosition | undefined> {
    const group = await this.readOrFail(position);
    if (!('queues' in group)) return (await this.failed(group, stopping)) ? position : undefined;
    const { queues, position: next, isLast } = group;
    this.movesIn = next.log === position.log ? next.log : undefined;
    const hasChanges = queues.length > 0;
    this.forgotten.clear();
    if (!(await this.deliver(queues, stopping))) return undefined;
    if (this.forgotten.size > 0) return this.passOthers(position, next);
    const hasMoved = next.offsets.some((offset, partition) => offset !== position.offsets[partition]);
    const isDue = hasChanges || performance.now() - this.savedAt > saveEveryMs;
    if (isDue && (hasMoved || next.log !== position.log)) {
      if (!(await this.cursors.save(next))) return undefined;
      this.savedAt = performance.now();
    }
    if (isLast) {
      this.waitingSince = undefined;
      await this.parts.monitor.next(next.offsets, stopping);
    }
    return next;
  }

  private async passOthers(position: StreamPosition, next: StreamPosition): Promise<StreamPosition | undefined> {
    const passed = <T>(before: readonly T[], after: readonly T[]): T[] =>
      after.map((value, partition) => (this.forgotten.has(partition) ? (before[partition] ?? value) : value));
    const { offsets, times } = position;
    const saved = { ...next, offsets: passed(offsets, next.offsets), times: passed(times, next.times) };
    return (await this.cursors.save(saved)) ? this.cursors.read() : undefined;
  }

  /**
   * Reads the changes after a position. Returns a failure if the tables cannot be read, for example because they keep
   * no history.
   */
  private async readOrFail(position: StreamPosition): Promise<Messages | Failure> {
    try {
      return await this.read(position);
    } catch (error) {
      if (!isFault(error) || !error.code.startsWith('query.')) throw error;
      return { error: error.message, isOwn: true };
    }
  }

  private async read(position: StreamPosition): Promise<Messages> {
    const { reader, log } = this.parts;
    const isChosen = changeCondition(this.subscription.filter);
    // Also reads the entry of each purged node, because the row has no certname for the filter.
    const chosen = { limit: changesAtOnce, isWanted: (row: ChangeRow) => row.certname === null || isChosen(row) };
    const readAfter = async (from: StreamPosition): Promise<Messages> => {
      const { changes, logId, ...group } = await reader.readAfter(from, chosen);
      return { ...group, queues: queuesOf(changes.filter(isChosen).map((change) => changeMessage(change, logId))) };
    };
    let from = position;
    for (;;) {
      try {
        return await readAfter(from);
      } catch (error) {
        if (!(error instanceof ChangesGone)) throw error;
        // The subscription was paused for so long that the history no longer contains the next changes. Delivers the
        // changes that it still contains.
        const { earliest, known } = error;
        const gap = { event: 'gap', type: 'nodeledger.gap', certname: null };
        const lost = `changes before ${earliest ?? 'now'} are no longer known, and some were not delivered`;
        if (from === position) await log.add(this.subscription.id, gap, { status: null, ms: 0, error: lost });
        from = known;
      }
    }
  }

  /** Sends all messages, and retries until they succeed. Returns false if the delivery ends. */
  private async deliver(queues: PartitionQueue[], stopping: AbortSignal): Promise<boolean> {
    if (queues.length === 0) return true;
    for (;;) {
      this.waitingSince = Math.min(...queues.map(([first]) => Date.parse((first as ChangeMessage).change.receivedAt)));
      const before = queues.reduce((sum, queue) => sum + queue.length, 0);
      const outcome = await this.sendAll(queues, stopping);
      if (outcome === 'ended') return false;
      const hasProgress = queues.reduce((sum, queue) => sum + queue.length, 0) < before;
      if (hasProgress) this.failures = 0;
      if (outcome === 'delivered') return this.succeeded();
      if (hasProgress) this.failingSince = undefined;
      this.forget(queues);
      if (!(await this.failed(outcome, stopping))) return false;
    }
  }

  /**
   * Removes messages from memory, because the receiver can fail for a day, and there can be many receivers. Keeps only
   * the messages from the first record in each partition. The delivery reads the other messages again later, starting
   * at the cursors.
   */
  private forget(queues: PartitionQueue[]): void {
    if (this.movesIn === undefined) return;
    for (const queue of queues) {
      const first = queue[0]?.change.position;
      const next = queue.findIndex(({ change }) => change.position.offset !== first?.offset);
      if (first === undefined || next < 0) continue;
      queue.splice(next);
      this.forgotten.add(first.partition);
    }
  }

  /** Sends the messages, and stops at the first failure. Removes delivered messages from `queues`. */
  private async sendAll(queues: PartitionQueue[], stopping: AbortSignal): Promise<Outcome> {
    let sender: WebhookSender;
    try {
      sender = await this.openSender();
    } catch (error) {
      if (!isFault(error) || !error.code.startsWith('webhooks.')) throw error;
      return { error: error.message, isOwn: true };
    }
    const waiting = [...queues];
    let outcome: Outcome = 'delivered';
    const sendQueues = async (): Promise<void> => {
      for (let queue = waiting.shift(); queue !== undefined && outcome === 'delivered'; queue = waiting.shift()) {
        while (queue.length > 0 && outcome === 'delivered') {
          const sent = await this.sendFirst(queue, sender, stopping);
          if (sent !== 'delivered') outcome = sent;
        }
      }
    };
    await Promise.all(Array.from({ length: connections }, sendQueues));
    queues.splice(0, queues.length, ...queues.filter((queue) => queue.length > 0));
    return outcome;
  }

  private async sendFirst(queue: PartitionQueue, sender: WebhookSender, stopping: AbortSignal): Promise<Outcome> {
    const { log, observer } = this.parts;
    const [message, next] = queue as [ChangeMessage, ChangeMessage?];
    const attempt = await sender.send(message, stopping);
    observer.attempted(outcomeOf(attempt), attempt.ms);
    const { error } = attempt;
    const { position, receivedAt } = message.change;
    const { partition, offset } = position;
    const isPart = next?.change.position.offset === offset;
    if (error !== undefined || isPart || this.movesIn === undefined) {
      await log.add(this.subscription.id, message, attempt);
      if (error !== undefined) return { ...attempt, error };
    } else {
      const passed = { log: this.movesIn, partition, nextOffset: offset + 1, receivedAt };
      if (!(await log.addPassed(this.subscription, message, attempt, passed))) return 'ended';
    }
    queue.shift();
    return 'delivered';
  }

  /** Returns the sender. Makes a new one at intervals, because the previous signing secret expires. */
  private async openSender(): Promise<WebhookSender> {
    if (this.sender !== undefined && performance.now() - this.sender.openedAt < keysMs) return this.sender.sender;
    const { table, sender: options } = this.parts;
    const keys = await table.keys(this.subscription);
    this.sender?.sender.close();
    const sender = new WebhookSender(this.subscription.url, keys, connections, options);
    this.sender = { sender, openedAt: performance.now() };
    return sender;
  }

  private async succeeded(): Promise<boolean> {
    this.failingSince = undefined;
    const { id, revision } = this.subscription;
    const found = await this.parts.db.query(statement`
      UPDATE nodeledger.subscriptions SET delivered_at = now(), failures = 0, failing_since = NULL
      WHERE id = ${id}::uuid AND revision = ${revision}::bigint RETURNING 1`);
    return found.length > 0;
  }

  /** Stores a failure, and waits before the next attempt. Returns false if the delivery ends instead. */
  private async failed(
    { error, status, retryAfterMs = 0, isOwn = false }: Failure,
    stopping: AbortSignal,
  ): Promise<boolean> {
    const { db, table, giveUpMs, delays = defaultDelays } = this.parts;
    const { id, revision } = this.subscription;
    this.failures++;
    // If the previous failures came from the service and this one comes from the receiver, or the reverse,
    // `failingSince` starts again. So a receiver is not blamed for failures of the service.
    if (this.isOwnFailure !== isOwn) this.failingSince = undefined;
    this.isOwnFailure = isOwn;
    this.failingSince ??= Date.now();
    const receiverFailsSince = isOwn ? null : new Date(this.failingSince);
    const found = await db.query(statement`
      UPDATE nodeledger.subscriptions SET failures = ${this.failures}, failing_since = ${receiverFailsSince},
        last_error = ${error}
      WHERE id = ${id}::uuid AND revision = ${revision}::bigint RETURNING 1`);
    if (found.length === 0) return false;
    if (status === 410) await table.giveUp(this.subscription, 'gone');
    else if (!isOwn && Date.now() - this.failingSince >= giveUpMs) await table.giveUp(this.subscription, 'failing');
    else {
      // Adds a random part, so that many receivers behind one proxy do not get their retries at the same moment.
      const waitMs = Math.max(retryAfterMs, retryDelay(this.failures, delays) * (0.5 + Math.random() / 2));
      await delay(waitMs, undefined, { signal: stopping }).catch(() => undefined);
      return !stopping.aborted;
    }
    return false;
  }
}

function outcomeOf({ status, error }: Attempt): 'delivered' | 'refused' | 'unanswered' {
  if (error === undefined) return 'delivered';
  return status === null ? 'unanswered' : 'refused';
}

function queuesOf(messages: readonly ChangeMessage[]): PartitionQueue[] {
  const queues = new Map<number, PartitionQueue>();
  for (const message of messages) {
    const { partition } = message.change.position;
    const queue = queues.get(partition);
    if (queue === undefined) queues.set(partition, [message]);
    else queue.push(message);
  }
  return [...queues.values()];
}
