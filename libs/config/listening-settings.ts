import { hostsForm, readHosts } from './allowed-hosts';
import { networksForm, readNetworks } from './networks';
import type { SettingEntry } from './setting-entry';
import { count, duration, file, flag, text } from './setting-forms';

/** Where the service listens, and HTTPS. */
export const listeningSettings: readonly SettingEntry[] = [
  {
    name: 'host',
    key: 'NODELEDGER_HOST',
    fallback: '127.0.0.1',
    read: text,
    expects: 'a host name or address',
    meaning: 'address to listen on',
  },
  {
    name: 'port',
    key: 'NODELEDGER_PORT',
    fallback: '8080',
    ...count(0, 65_535),
    meaning: 'port to listen on; 0 picks a free one',
  },
  {
    name: 'allowInsecure',
    key: 'NODELEDGER_ALLOW_INSECURE',
    fallback: 'false',
    ...flag,
    meaning: 'allow unencrypted HTTP on addresses other than loopback',
  },
  {
    name: 'cleartext',
    key: 'NODELEDGER_CLEARTEXT',
    fallback: 'true',
    ...flag,
    meaning: 'serve unencrypted HTTP on NODELEDGER_PORT; false: HTTPS only',
  },
  {
    name: 'allowedHosts',
    key: 'NODELEDGER_ALLOWED_HOSTS',
    read: readHosts,
    expects: hostsForm,
    meaning: 'host names of the service in browsers, if it is behind a proxy; not set: localhost',
  },
  {
    name: 'trustedProxies',
    key: 'NODELEDGER_TRUSTED_PROXIES',
    read: readNetworks,
    expects: networksForm,
    meaning:
      'proxies whose headers Forwarded and X-Forwarded-For name the address of the client; not set: the address of the connection',
  },
  {
    name: 'tlsHost',
    key: 'NODELEDGER_TLS_HOST',
    fallback: '0.0.0.0',
    read: text,
    expects: 'a host name or address',
    meaning: 'address to listen on for HTTPS',
  },
  {
    name: 'tlsPort',
    key: 'NODELEDGER_TLS_PORT',
    fallback: '8081',
    ...count(0, 65_535),
    meaning: 'port to listen on for HTTPS, if certificate, key and CA are set; 0 picks a free one',
  },
  { name: 'tlsCert', key: 'NODELEDGER_TLS_CERT', ...file, meaning: 'certificate (PEM) of the service' },
  { name: 'tlsKey', key: 'NODELEDGER_TLS_KEY', ...file, meaning: 'private key (PEM) of that certificate' },
  {
    name: 'tlsCa',
    key: 'NODELEDGER_TLS_CA',
    ...file,
    meaning: 'certificates (PEM) of the CAs that sign client certificates',
  },
  {
    name: 'tlsCrl',
    key: 'NODELEDGER_TLS_CRL',
    ...file,
    meaning: 'revocation lists (PEM), one for each of these CAs; not set: the service does not check revocation',
  },
  {
    name: 'tlsExpiryAlert',
    key: 'NODELEDGER_TLS_EXPIRY_ALERT',
    fallback: '14d',
    ...duration,
    meaning: 'how long before a certificate or revocation list expires the alert tls.expiry begins',
  },
  {
    name: 'certificateAllowlist',
    key: 'NODELEDGER_CERTIFICATE_ALLOWLIST',
    ...file,
    meaning:
      'file with the certificate names that may have roles, one per line; all other certificates have none (docs/tls.md)',
  },
];
