import { failsLastingly, namesOf, SubscriptionTable } from '#changes';
import type { Settings } from '#config';
import { type Database, statement } from '#database';
import { amount } from '../amounts';
import type { Finding } from './finding';

const check = 'webhooks';

export async function checkSubscriptions({ webhookKeyFile }: Readonly<Settings>, db: Database): Promise<Finding[]> {
  // A database from an earlier release does not have the table.
  const [exists] = await db.query<{ table: string | null }>(
    statement`SELECT to_regclass('nodeledger.subscriptions')::text AS table`,
  );
  const all = exists?.table == null ? [] : await new SubscriptionTable(db, undefined).list();
  if (all.length === 0) return [];
  const warning = (text: string, remedy: string): Finding => ({ check, level: 'warning', text, remedy });
  const paused = all.filter(({ pause }) => pause !== null);
  const failing = all.filter(failsLastingly);
  const findings = [
    ...(webhookKeyFile === undefined
      ? [
          warning(
            'There are subscriptions, but NODELEDGER_WEBHOOK_KEY_FILE is not set: nothing is delivered.',
            'Set NODELEDGER_WEBHOOK_KEY_FILE to the file with the key of their secrets, and start the service again.',
          ),
        ]
      : []),
    ...(paused.length > 0
      ? [
          warning(
            `Paused: ${namesOf(paused)}. Their changes wait as long as the history keeps them.`,
            'Repair the receiver, then run `nodeledger subscriptions resume NAME`. Or remove the subscription.',
          ),
        ]
      : []),
    ...(failing.length > 0
      ? [
          warning(
            `Receivers fail since ${failing.map(({ failingSince }) => failingSince).sort()[0]}: ${namesOf(failing)} (${failing[0]?.lastError ?? 'unknown'}).`,
            'Look at `nodeledger subscriptions deliveries NAME`, and repair the receiver. The service pauses a subscription after NODELEDGER_WEBHOOK_GIVE_UP.',
          ),
        ]
      : []),
  ];
  if (findings.length > 0) return findings;
  return [{ check, level: 'ok', text: `Changes are delivered to ${amount(all.length, 'subscription')}.` }];
}
