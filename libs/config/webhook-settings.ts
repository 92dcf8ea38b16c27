import { hostsForm, readHosts } from './allowed-hosts';
import { networksForm, readNetworks } from './networks';
import type { SettingEntries } from './setting-entry';
import { aYear, duration, file } from './setting-forms';

export const webhookSettings = {
  webhookKeyFile: {
    key: 'NODELEDGER_WEBHOOK_KEY_FILE',
    ...file,
    meaning:
      'file with the key that encrypts the secrets of subscriptions (docs/webhooks.md). Not set: the service refuses new subscriptions, and sends nothing to existing ones',
  },
  webhookAllow: {
    key: 'NODELEDGER_WEBHOOK_ALLOW',
    read: readNetworks,
    expects: networksForm,
    meaning:
      'private, loopback and other addresses that are not public, to which the service can send webhooks; not set: only public addresses',
  },
  webhookHttpHosts: {
    key: 'NODELEDGER_WEBHOOK_HTTP_HOSTS',
    read: readHosts,
    expects: hostsForm,
    meaning: 'hosts whose receivers of webhooks may have http URLs; not set: all URLs are https',
  },
  webhookCa: {
    key: 'NODELEDGER_WEBHOOK_CA',
    ...file,
    meaning: 'certificates (PEM) of the CAs of receivers of webhooks, besides those that Node.js trusts',
  },
  webhookGiveUp: {
    key: 'NODELEDGER_WEBHOOK_GIVE_UP',
    fallback: '1d',
    ...duration({ from: 1, to: aYear }),
    meaning: 'a subscription is paused if its receiver has failed for this long',
  },
} as const satisfies SettingEntries;
