import { subjectText } from './certificate-names';
import type { TlsMaterial } from './read-tls-files';

interface Expiry {
  readonly what: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export const expiryAlertMs = 14 * 86_400_000;

export function expiries({ certificate, authorities, revocationLists }: TlsMaterial): Expiry[] {
  return [
    { what: 'the certificate of this service', at: Date.parse(certificate.validTo) },
    ...authorities.map((authority) => ({
      what: `the certificate of the authority ${subjectText(authority)}`,
      at: Date.parse(authority.validTo),
    })),
    ...revocationLists.flatMap(({ nextUpdate }) =>
      nextUpdate === undefined ? [] : [{ what: 'a revocation list', at: nextUpdate }],
    ),
  ].sort((a, b) => a.at - b.at);
}
