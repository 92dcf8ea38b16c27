import { excerpt, Fault } from '#fault';
import type { Caller } from '#http';

/**
 * Some certificates may submit commands for their own node only. The certname of the envelope decides: a command whose
 * payload names another node is rejected when it is applied. Fault: `access.other-node` (forbidden).
 */
export function requireOwnNode({ onlyCertname }: Pick<Caller, 'onlyCertname'>, certname: string): void {
  if (onlyCertname === undefined || onlyCertname === certname) return;
  throw new Fault(
    'forbidden',
    'access.other-node',
    `Forbidden: the certificate ${onlyCertname} has the role submit-own, so it cannot submit commands for ${excerpt(certname)}.`,
  );
}
