import type { Database } from '#database';
import type { ChangeReader } from '../stream/change-reader';
import type { DeliveryLog } from './delivery/delivery-log';
import type { SenderOptions } from './delivery/send-webhook';
import type { SubscriptionTable } from './subscriptions/subscription-table';

export const WEBHOOK_PARTS = Symbol('WebhookParts');

export interface WebhookParts {
  readonly db: Database;
  readonly reader: ChangeReader;
  readonly table: SubscriptionTable;
  readonly log: DeliveryLog;
  readonly sender: SenderOptions;
}
