import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { certificateNames } from './certificate-names';
import type { TlsMaterial } from './read-tls-files';

export interface Peer {
  /** Milliseconds since 1970. */
  readonly validTo: number;
  /** Serial number and issuer of each certificate, from the client's certificate to the authority's. */
  readonly certificates: readonly string[];
  readonly fingerprints: readonly string[];
}

export interface Trust {
  readonly revoked: ReadonlySet<string>;
  readonly authorities: ReadonlySet<string>;
}

const certificateKey = (issuer: string, serial: string): string => `${serial} ${issuer}`;

export function trustOf({ authorities, revocationLists }: TlsMaterial): Trust {
  return {
    authorities: new Set(authorities.map(({ fingerprint256 }) => fingerprint256)),
    revoked: new Set(
      revocationLists.flatMap(({ issuer, serials }) => [...serials].map((serial) => certificateKey(issuer, serial))),
    ),
  };
}

/** The handshake must have verified the client. */
export function peerOf(socket: TLSSocket): Peer {
  const chain = chainOf(socket.getPeerCertificate(true));
  return {
    validTo: Date.parse(chain[0]?.valid_to ?? ''),
    certificates: chain.map(({ raw }) => {
      const { issuer, serial } = certificateNames(raw);
      return certificateKey(issuer, serial);
    }),
    fingerprints: chain.map(({ fingerprint256 }) => fingerprint256),
  };
}

function chainOf(certificate: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  for (
    let one: DetailedPeerCertificate | undefined = certificate;
    one?.raw !== undefined;
    one = one.issuerCertificate
  ) {
    if (chain.includes(one)) break;
    chain.push(one);
  }
  return chain;
}

export function isTrusted({ validTo, certificates, fingerprints }: Peer, { revoked, authorities }: Trust, now: number) {
  return (
    now < validTo &&
    !certificates.some((certificate) => revoked.has(certificate)) &&
    fingerprints.some((fingerprint) => authorities.has(fingerprint))
  );
}
