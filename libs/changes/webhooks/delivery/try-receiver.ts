import { randomUUID } from 'node:crypto';
import type { Subscription } from '../subscriptions/subscription';
import type { SubscriptionTable } from '../subscriptions/subscription-table';
import { testMessage } from './change-message';
import type { DeliveryLog } from './delivery-log';
import { type Attempt, type SenderOptions, WebhookSender } from './send-webhook';

interface TrialParts {
  readonly table: SubscriptionTable;
  readonly log: DeliveryLog;
  readonly sender: SenderOptions;
}

/**
 * Sends an event of the type `nodeledger.test`, even if the subscription is paused. Throws `webhooks.target`,
 * `webhooks.no-key` or `webhooks.sealed`.
 */
export async function tryReceiver(subscription: Subscription, { table, log, sender }: TrialParts): Promise<Attempt> {
  const keys = await table.keys(subscription);
  const trial = new WebhookSender(subscription.url, keys, 1, sender);
  const message = testMessage(randomUUID(), subscription.name);
  try {
    const attempt = await trial.send(message);
    await log.add(subscription.id, message, attempt);
    return attempt;
  } finally {
    trial.close();
  }
}
