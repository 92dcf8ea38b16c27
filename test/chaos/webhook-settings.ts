import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../support/until';
import type { WebhookReceiver } from '../support/webhook-receiver';

/** Writes a key, and returns the settings of a service that sends changes to a receiver on this machine. */
export async function webhookSettings(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const key = join(dataDir, 'webhook.key');
  await writeFile(key, randomBytes(32).toString('base64'));
  return {
    NODELEDGER_WEBHOOK_KEY_FILE: key,
    NODELEDGER_WEBHOOK_ALLOW: '127.0.0.1',
    NODELEDGER_WEBHOOK_HTTP_HOSTS: '127.0.0.1',
  };
}

/** Adds a subscription for all changes from now on. `url` returns the address of the service at the moment. */
export async function subscribe(url: () => Promise<string>, receiver: WebhookReceiver): Promise<void> {
  const body = JSON.stringify({ name: 'chaos', url: receiver.url, secret: receiver.secret });
  const headers = { 'content-type': 'application/json' };
  const post = async (): Promise<boolean> =>
    (await fetch(`${await url()}/nodeledger/v1/subscriptions`, { method: 'POST', headers, body })).status === 201;
  await until(() => post().catch(() => false), { what: 'a subscription', everyMs: 200 });
}
