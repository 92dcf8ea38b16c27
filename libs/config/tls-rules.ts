import type { Settings } from './setting-table';

/** Settings without which HTTPS cannot be used. */
const needed = ['NODELEDGER_TLS_CERT', 'NODELEDGER_TLS_KEY', 'NODELEDGER_TLS_CA'];
/** Settings that have no effect if HTTPS is off. */
const dependent = [
  'NODELEDGER_TLS_CRL',
  'NODELEDGER_CERTIFICATE_ALLOWLIST',
  'NODELEDGER_TLS_PORT',
  'NODELEDGER_TLS_HOST',
];

/** Returns conflicts between the settings of HTTPS, or an empty list. `isGiven` returns whether a setting was set. */
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
