import type { ChangeFilter } from '../../filter/change-filter';

/**
 * Reason for a pause: an administrator paused the subscription, the receiver failed for too long, or the receiver
 * answered 410.
 */
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
  /** Number of failed attempts since the last success. */
  readonly failures: number;
  readonly failingSince: string | null;
  readonly lastError: string | null;
  readonly deliveredAt: string | null;
}

/** The properties of a subscription that an administrator can change. */
export interface SubscriptionChange {
  readonly url: string;
  readonly filter: ChangeFilter;
  /** If absent, the subscription keeps its secret. */
  readonly secret?: string;
}

export type NewSubscription = Required<SubscriptionChange> & { readonly name: string };

/**
 * Largest number of subscriptions. It is limited, because each subscription reads changes and keeps connections open.
 */
export const mostSubscriptions = 100;

/** Hours after a change of the secret in which messages are signed with the previous secret too. */
export const previousSecretHours = 24;

/** Milliseconds of failure after which the alert is raised. A receiver may fail for a moment without an alert. */
const lastingMs = 300_000;

export const failsLastingly = ({ pause, failingSince }: Subscription): boolean =>
  pause === null && failingSince !== null && Date.now() - Date.parse(failingSince) > lastingMs;

const mostNames = 5;

/** Returns a text such as `a, b and 3 others`: the first names, and how many subscriptions follow. */
export function namesOf(subscriptions: readonly Subscription[]): string {
  const names = subscriptions.slice(0, mostNames).map(({ name }) => name);
  const others = subscriptions.length - names.length;
  return `${names.join(', ')}${others > 0 ? ` and ${others} others` : ''}`;
}
