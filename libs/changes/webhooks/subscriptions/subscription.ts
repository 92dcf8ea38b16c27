import type { ChangeFilter } from '../../filter/change-filter';

/** Why a subscription is paused: an administrator asked, the receiver failed for long, or the receiver answered 410. */
export type PauseReason = 'asked' | 'failing' | 'gone';

/** A receiver of changes, without its secret. Times are ISO 8601, UTC. */
export interface Subscription {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly filter: ChangeFilter;
  readonly revision: number;
  readonly createdAt: string;
  readonly pause: PauseReason | null;
  readonly pausedAt: string | null;
  /** Attempts since the last success, all of which failed. */
  readonly failures: number;
  readonly failingSince: string | null;
  readonly lastError: string | null;
  readonly deliveredAt: string | null;
}

/** What an administrator decides about a subscription. */
export interface SubscriptionChange {
  readonly url: string;
  readonly filter: ChangeFilter;
  /** Absent: the subscription keeps its secret. */
  readonly secret?: string;
}

export type NewSubscription = Required<SubscriptionChange> & { readonly name: string };

/** Largest number of subscriptions, because each one reads changes and keeps connections. */
export const mostSubscriptions = 100;

/** How long messages have a signature by the previous secret, too, after the secret was changed. */
export const previousSecretHours = 24;

/** A receiver that fails for a moment is no reason for an alert. */
const lastingMs = 300_000;

export const failsLastingly = ({ pause, failingSince }: Subscription): boolean =>
  pause === null && failingSince !== null && Date.now() - Date.parse(failingSince) > lastingMs;

const mostNames = 5;

/** Returns the first names, and the number of the others. */
export function namesOf(subscriptions: readonly Subscription[]): string {
  const names = subscriptions.slice(0, mostNames).map(({ name }) => name);
  const others = subscriptions.length - names.length;
  return `${names.join(', ')}${others > 0 ? ` and ${others} others` : ''}`;
}
