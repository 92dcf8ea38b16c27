import { stringify } from 'yaml';

/**
 * Returns the content of a file for NODELEDGER_AUTHORIZATION, with roles for the configuration servers and for commands
 * on this machine.
 */
export function rolesFile(servers: readonly string[], own: string): string {
  const certificates = [
    // A configuration server on this machine may use the same certificate.
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
