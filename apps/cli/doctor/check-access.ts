import { isLoopback, type Settings } from '#config';
import { accessLine } from '../../server/access-line';
import type { Finding } from './finding';

const check = 'access';

/** Warns if every machine in the network has all roles, or if no certificate has the role `query`. */
export function checkAccess(settings: Readonly<Settings>): Finding {
  const { authorization, certificateAllowlist, tlsCert, cleartext, host } = settings;
  const text = `${accessLine(settings)}.`.replace(/^./, (first) => first.toUpperCase());
  if (authorization === undefined && cleartext && !isLoopback(host)) {
    return {
      check,
      level: 'warning',
      text,
      remedy: `Set NODELEDGER_AUTHORIZATION: ${host} is open to other machines.`,
    };
  }
  if (authorization === undefined && certificateAllowlist === undefined && tlsCert !== undefined) {
    const remedy = 'Set NODELEDGER_AUTHORIZATION to a file of roles: `nodeledger ssl-setup` writes one.';
    return { check, level: 'warning', text, remedy };
  }
  return { check, level: 'ok', text };
}
