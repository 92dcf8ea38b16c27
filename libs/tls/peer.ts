import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { certificateNames } from './certificate-names';
import type { TlsMaterial } from './read-tls-files';

/** Data about a client that decides whether its connection may stay open. */
export interface Peer {
  /** Milliseconds since 1970. */
  readonly validTo: number;
  /** Issuer and serial number of each certificate, from the client's to its authority, as one text each. */
  readonly certificates: readonly string[];
  /** SHA-256 fingerprints of these certificates. */
  readonly fingerprints: readonly string[];
}

/** Authorities and revoked certificates in the current files. */
export interface Trust {
  /** See `Peer.certificates`. */
  readonly revoked: ReadonlySet<string>;
  /** SHA-256 fingerprints. */
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

/** Returns the data of a client that the handshake has verified. */
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

/** Returns the certificate and its known authorities. A self-signed authority is the last one. */
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

/** Returns whether a client that was accepted earlier would be accepted now. */
export function isTrusted({ validTo, certificates, fingerprints }: Peer, { revoked, authorities }: Trust, now: number) {
  return (
    now < validTo &&
    !certificates.some((certificate) => revoked.has(certificate)) &&
    fingerprints.some((fingerprint) => authorities.has(fingerprint))
  );
}
