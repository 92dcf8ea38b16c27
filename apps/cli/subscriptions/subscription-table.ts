import type { Delivery, SubscriptionJson } from '#changes';
import { columns } from '../columns';
import { onOneLine } from '../on-one-line';

export function subscriptionTable(subscriptions: readonly SubscriptionJson[]): string {
  if (subscriptions.length === 0) return 'no subscriptions\n';
  return columns([
    ['NAME', 'STATE', 'LAST DELIVERY', 'URL'],
    ...subscriptions.map(({ name, state, delivered_at, url }) => [
      name,
      state,
      delivered_at ?? 'never',
      onOneLine(url),
    ]),
  ]);
}

const pauseReasons: Readonly<Record<string, string>> = {
  asked: 'an administrator asked',
  failing: 'the receiver failed for too long',
  gone: 'the receiver answered 410',
};

export function subscriptionDetails(found: SubscriptionJson): string {
  const { filter, pause_reason: reason, failing_since: since } = found;
  const chosen = Object.entries(filter).map(([member, values]): [string, string] => [member, values.join(', ')]);
  const rows: [string, string][] = [
    ['name', found.name],
    ['url', found.url],
    ...(chosen.length === 0 ? ([['changes', 'all']] as [string, string][]) : chosen),
    ['state', found.state],
    ...(reason === null
      ? []
      : ([['paused', `${found.paused_at}, ${pauseReasons[reason] ?? reason}`]] as [string, string][])),
    ['created', found.created_at],
    ['last delivery', found.delivered_at ?? 'never'],
    ...(since === null ? [] : ([['failing since', `${since}, ${found.failures} times`]] as [string, string][])),
    ...(found.last_error === null ? [] : ([['last error', found.last_error]] as [string, string][])),
  ];
  return columns(rows.map((row) => row.map(onOneLine)));
}

export function deliveryTable(deliveries: readonly Delivery[]): string {
  if (deliveries.length === 0) return 'no deliveries\n';
  return columns([
    ['ID', 'TIME', 'CHANGE', 'CERTNAME', 'MS', 'OUTCOME'],
    ...deliveries.map(({ id, at, type, certname, status, ms, error }) => [
      String(id),
      at,
      type.replace(/^nodeledger\./, ''),
      onOneLine(certname ?? ''),
      String(ms),
      onOneLine(error ?? `delivered (${status})`),
    ]),
  ]);
}
