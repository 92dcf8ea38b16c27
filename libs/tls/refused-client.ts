import type { TLSSocket } from 'node:tls';
import { excerpt, Fault } from '#fault';
import { subjectText } from './certificate-names';

const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it, or the certificate of an authority that signed it, has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it has been revoked',
  CRL_HAS_EXPIRED: 'the revocation lists of this service are out of date',
  // Each authority of the service has a revocation list, so this error means an unknown authority.
  UNABLE_TO_GET_CRL: unknownAuthority(),
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority(),
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority(),
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority(),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority(),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority(),
  CERT_SIGNATURE_FAILURE: unknownAuthority(),
  INVALID_PURPOSE: 'it is not made for clients',
};

function unknownAuthority(): string {
  return 'no authority that this service knows has signed it';
}

export function refusedClient(socket: TLSSocket, code = String(socket.authorizationError)): Fault {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) {
    return new Fault('forbidden', 'http.client-certificate', 'This service asks each client for a certificate.', {
      hint: 'Send one that was signed by an authority of this service, with its key.',
    });
  }
  const name = excerpt(subjectText(certificate));
  const reason = reasons[code] ?? code;
  return new Fault('forbidden', 'http.client-certificate', `The client certificate ${name} is refused: ${reason}.`, {
    hint: 'Send a valid one that was signed by an authority of this service.',
  });
}
