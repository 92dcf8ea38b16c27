import { hostsForm, readHosts } from './allowed-hosts';
import { networksForm, readNetworks } from './networks';
import type { SettingEntries } from './setting-entry';
import { count, file, flag, text } from './setting-forms';

export const listeningSettings = {
  host: {
    key: 'NODELEDGER_HOST',
    fallback: '127.0.0.1',
    read: text,
    expects: 'a host name or address',
    meaning: 'address to listen on',
  },
  port: {
    key: 'NODELEDGER_PORT',
    fallback: '8080',
    ...count(0, 65_535),
    meaning: 'port to listen on; 0: the service selects a free port',
  },
  allowInsecure: {
    key: 'NODELEDGER_ALLOW_INSECURE',
    fallback: 'false',
    ...flag,
    meaning: 'allow unencrypted HTTP on addresses other than loopback',
  },
  cleartext: {
    key: 'NODELEDGER_CLEARTEXT',
    fallback: 'true',
    ...flag,
    meaning: 'serve unencrypted HTTP on NODELEDGER_PORT; false: HTTPS only',
  },
  allowedHosts: {
    key: 'NODELEDGER_ALLOWED_HOSTS',
    read: readHosts,
    expects: hostsForm,
    meaning: 'host names of the service in browsers, if it is behind a proxy; not set: localhost',
  },
  trustedProxies: {
    key: 'NODELEDGER_TRUSTED_PROXIES',
    read: readNetworks,
    expects: networksForm,
    meaning:
      'proxies whose headers Forwarded and X-Forwarded-For name the address of the client; not set: the address of the connection',
  },
  tlsHost: {
    key: 'NODELEDGER_TLS_HOST',
    fallback: '0.0.0.0',
    read: text,
    expects: 'a host name or address',
    meaning: 'address to listen on for HTTPS',
  },
  tlsPort: {
    key: 'NODELEDGER_TLS_PORT',
    fallback: '8081',
    ...count(0, 65_535),
    meaning: 'port to listen on for HTTPS, if certificate, key and CA are set; 0: the service selects a free port',
  },
  tlsCert: { key: 'NODELEDGER_TLS_CERT', ...file, meaning: 'certificate (PEM) of the service' },
  tlsKey: {
    key: 'NODELEDGER_TLS_KEY',
    ...file,
    meaning: 'private key (PEM) of the certificate in NODELEDGER_TLS_CERT',
  },
  tlsCa: {
    key: 'NODELEDGER_TLS_CA',
    ...file,
    meaning: 'certificates (PEM) of the CAs that sign client certificates',
  },
  tlsCrl: {
    key: 'NODELEDGER_TLS_CRL',
    ...file,
    meaning:
      'revocation lists (PEM), one for each CA in NODELEDGER_TLS_CA; not set: the service does not check revocation',
  },
  certificateAllowlist: {
    key: 'NODELEDGER_CERTIFICATE_ALLOWLIST',
    ...file,
    meaning:
      'file with the names of the certificates that may have roles, one name per line; other certificates have no roles (docs/tls.md)',
  },
} as const satisfies SettingEntries;
