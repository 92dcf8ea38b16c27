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

/** Largest number of subscriptions, because each one reads changes and keeps connections. */
export const mostSubscriptions = 100;

/** Time after a change of the secret during which messages also have a signature with the previous secret. */
export const previousSecretHours = 24;

/** The alert is raised only after this time, because a receiver may fail for a moment. */
const lastingMs = 300_000;

export const failsLastingly = ({ pause, failingSince }: Subscription): boolean =>
  pause === null && failingSince !== null && Date.now() - Date.parse(failingSince) > lastingMs;

const mostNames = 5;

/** Returns the first names, and the number of further names. */
export function namesOf(subscriptions: readonly Subscription[]): string {
  const names = subscriptions.slice(0, mostNames).map(({ name }) => name);
  const others = subscriptions.length - names.length;
  return `${names.join(', ')}${others > 0 ? ` and ${others} others` : ''}`;
}
