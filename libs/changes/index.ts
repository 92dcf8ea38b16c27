export { ChangesModule, type ChangesOptions, type LiveChanges } from './changes.module';
export {
  changeCondition,
  type ChangeFilter,
  type ChangeKind,
  changeKinds,
  readChangeFilter,
} from './filter/change-filter';
export { entriesOf, type RowSource } from './timeline/entries-of';
export { rowSource } from './timeline/row-source';
export type { TimelineEntry, TimelineKey, TimelineKind } from './timeline/timeline-entry';
export type { Change, ChangeRow } from './stream/change';
export { type ChangeGroup, ChangeReader, type ReadChanges } from './stream/change-reader';
export { ChangesGone } from './stream/history-state';
export { OpenStreams, type StreamObserver } from './stream/open-streams';
export { readPosition, type StreamPosition, writePosition } from './stream/stream-position';
export { type Delivery, DeliveryLog } from './webhooks/delivery/delivery-log';
export { type AttemptOutcome, attemptOutcomes, type WebhookObserver } from './webhooks/delivery/webhook-observer';
export { Webhooks } from './webhooks/delivery/webhooks';
export type { SubscriptionJson } from './webhooks/http/subscription-json';
export { SecretBox } from './webhooks/secrets/secret-box';
export { newSigningSecret } from './webhooks/secrets/signing-secret';
export { failsLastingly, namesOf } from './webhooks/subscriptions/subscription';
export { SubscriptionTable } from './webhooks/subscriptions/subscription-table';
export { AddressRules } from './webhooks/targets/address-rules';
export { systemResolver } from './webhooks/targets/resolve-host';
export { TargetRules } from './webhooks/targets/target-rules';
export { type WebhookParts } from './webhooks/webhook-parts';
export { WebhooksModule } from './webhooks/webhooks.module';
