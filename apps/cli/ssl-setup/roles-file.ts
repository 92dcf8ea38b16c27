import { stringify } from 'yaml';

/**
 * Returns a roles file for NODELEDGER_AUTHORIZATION. Commands on this machine use the certificate of the service
 * (`own`), so this certificate also gets roles.
 */
export function rolesFile(servers: readonly string[], own: string): string {
  const certificates = [
    // A configuration server on this machine can have the same certificate as the service.
    ...servers.filter((name) => name !== own).map((name) => ({ name, roles: ['submit', 'query'] })),
    { name: own, roles: ['submit', 'query', 'metrics', 'admin'] },
  ];
  return [
    '# Certificates and their roles: docs/authorization.md. `nodeledger ssl-setup` does not change this file again.',
    '# Configuration servers need submit and query. The last entry is the certificate of the service itself: commands on',
    '# this machine present it.',
    stringify({ certificates }),
  ].join('\n');
}
