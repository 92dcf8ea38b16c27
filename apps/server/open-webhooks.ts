import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import {
  AddressRules,
  ChangeReader,
  DeliveryLog,
  SecretBox,
  SubscriptionTable,
  systemResolver,
  TargetRules,
  type WebhookParts,
} from '#changes';
import { ownVersion, readNamedFile, type Settings } from '#config';
import { Database } from '#database';
import { Fault } from '#fault';
import { ownPools } from './own-pools';
import type { Undo } from './undo';

const statementTimeoutMs = 60_000;

/** Throws `webhooks.key`, `tls.file` or `tls.refused`. */
export async function openWebhooks(
  settings: Readonly<Settings>,
  connectionString: string,
  { delivers, undo }: { readonly delivers: boolean; readonly undo: Undo },
): Promise<WebhookParts> {
  const box = await openBox(settings);
  const secureContext = await openContext(settings);
  const rules = new TargetRules({
    addresses: new AddressRules(settings.webhookAllow),
    httpHosts: settings.webhookHttpHosts ?? [],
    resolve: systemResolver(),
  });
  const db = new Database({
    connectionString,
    max: ownPools.webhooks,
    applicationName: 'nodeledger webhooks',
    statementTimeoutMs,
  });
  undo.add('the connections of webhooks', () => db.close());
  const reader = new ChangeReader(db);
  undo.add('the reader of changes for webhooks', () => reader.close());
  if (delivers) await reader.open();
  return {
    db,
    reader,
    table: new SubscriptionTable(db, box),
    log: new DeliveryLog(db),
    sender: { rules, version: ownVersion(), ...(secureContext !== undefined && { secureContext }) },
  };
}

async function openBox({ webhookKeyFile: path }: Readonly<Settings>): Promise<SecretBox | undefined> {
  if (path === undefined) return undefined;
  const file = { what: 'the file of NODELEDGER_WEBHOOK_KEY_FILE', path, code: 'webhooks.key' } as const;
  return SecretBox.parse(await readNamedFile(file), path);
}

async function openContext({ webhookCa: path }: Readonly<Settings>): Promise<SecureContext | undefined> {
  if (path === undefined) return undefined;
  const ca = await readNamedFile({ what: 'the file of NODELEDGER_WEBHOOK_CA', path, code: 'tls.file' });
  try {
    return createSecureContext({ ca: [...rootCertificates, ca] });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Fault('malformed', 'tls.refused', `OpenSSL does not accept ${path}: ${reason}`, {
      hint: 'NODELEDGER_WEBHOOK_CA names a PEM file with the certificates of CAs.',
      cause,
    });
  }
}
