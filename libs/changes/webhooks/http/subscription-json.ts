import type { Subscription } from '../subscriptions/subscription';

export type SubscriptionJson = ReturnType<typeof subscriptionJson>;

export const subscriptionJson = (found: Subscription) => ({
  name: found.name,
  url: found.url,
  filter: found.filter,
  state: found.pause !== null ? 'paused' : found.failures > 0 ? 'failing' : 'active',
  created_at: found.createdAt,
  delivered_at: found.deliveredAt,
  failures: found.failures,
  failing_since: found.failingSince,
  last_error: found.lastError,
  pause_reason: found.pause,
  paused_at: found.pausedAt,
});
