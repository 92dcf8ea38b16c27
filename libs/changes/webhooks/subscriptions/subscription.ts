import type { ChangeFilter } from '../../filter/change-filter';

/**
 * `asked`: an administrator paused the subscription. `failing`: the receiver failed for too long. `gone`: the receiver
 * answered 410.
 */
export type PauseReason = 'asked' | 'failing' | 'gone';

/** Times are ISO 8601, UTC. The secret is not a member. */
export interface Subscription {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly filter: ChangeFilter;
  readonly revision: number;
  readonly createdAt: string;
  readonly pause: PauseReason | null;
  readonly pausedAt: string | null;
  readonly failures: number;
  readonly failingSince: string | null;
  readonly lastError: string | null;
  readonly deliveredAt: string | null;
}

export interface SubscriptionChange {
  readonly url: string;
  readonly filter: ChangeFilter;
  /** If absent, the subscription keeps its secret. */
  readonly secret?: string;
}

export type NewSubscription = Required<SubscriptionChange> & { readonly name: string };

/** Each subscription reads changes and keeps connections open, so their number is limited. */
export const mostSubscriptions = 100;

/** Hours after a change of the secret in which messages are also signed with the previous secret. */
export const previousSecretHours = 24;
const lastingMs = 300_000;

export const failsLastingly = ({ pause, failingSince }: Subscription): boolean =>
  pause === null && failingSince !== null && Date.now() - Date.parse(failingSince) > lastingMs;

const mostNames = 5;

export function namesOf(subscriptions: readonly Subscription[]): string {
  const names = subscriptions.slice(0, mostNames).map(({ name }) => name);
  const others = subscriptions.length - names.length;
  return `${names.join(', ')}${others > 0 ? ` and ${others} others` : ''}`;
}
