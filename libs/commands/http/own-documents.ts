import { excerpt, Fault } from '#fault';
import type { Caller } from '#http';
import type { Submission } from '../submission';

/**
 * Commands that the role submit-own allows. `deactivate node` and `configure expiration` are not allowed, because they
 * hide a node from queries. A machine that an attacker controls must not be able to hide itself.
 */
const documents: ReadonlySet<string> = new Set([
  'replace facts',
  'replace catalog',
  'replace catalog inputs',
  'store report',
]);

/**
 * Throws `access.other-node` or `access.role` if the caller has only the role submit-own and the command is not a
 * document of the caller's node. Checks only the certname of the envelope, because the projector rejects a payload that
 * names another node.
 */
export function requireOwnDocument(
  { onlyCertname }: Pick<Caller, 'onlyCertname'>,
  { command, certname }: Pick<Submission, 'command' | 'certname'>,
): void {
  if (onlyCertname === undefined) return;
  const refused = `Forbidden: the certificate ${onlyCertname} has the role submit-own, so it cannot submit`;
  if (onlyCertname !== certname) {
    throw new Fault('forbidden', 'access.other-node', `${refused} commands for ${excerpt(certname)}.`);
  }
  if (!documents.has(command)) {
    throw new Fault('forbidden', 'access.role', `${refused} the command ${excerpt(command)}.`, {
      hint: 'This command needs the role submit.',
    });
  }
}
