import type { Settings } from './setting-table';

/** HTTPS needs all of these settings. */
const needed = ['NODELEDGER_TLS_CERT', 'NODELEDGER_TLS_KEY', 'NODELEDGER_TLS_CA'];
/** These settings have no effect without HTTPS. */
const dependent = [
  'NODELEDGER_TLS_CRL',
  'NODELEDGER_CERTIFICATE_ALLOWLIST',
  'NODELEDGER_TLS_PORT',
  'NODELEDGER_TLS_HOST',
];

export function tlsProblems({ cleartext }: Readonly<Settings>, isGiven: (key: string) => boolean): string[] {
  const missing = needed.filter((key) => !isGiven(key));
  if (missing.length === 0) return [];
  const given = [...needed, ...dependent].find(isGiven);
  const set = missing.length === 1 ? 'set it' : 'set them';
  const verb = missing.length === 1 ? 'is' : 'are';
  const names = missing.join(' and ').replace(/ and (?=.* and )/, ', ');
  if (given !== undefined) return [`${given} is set, but ${names} ${verb} not: ${set}, or unset ${given}`];
  return cleartext ? [] : [`NODELEDGER_CLEARTEXT=false leaves nothing to listen on, because ${names} ${verb} not set`];
}
