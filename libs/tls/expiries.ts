import { subjectText } from './certificate-names';
import type { TlsMaterial } from './read-tls-files';

/** A certificate or list with its end. */
interface Expiry {
  /** Description for people: "the certificate of this service". */
  readonly what: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** How long before a certificate or revocation list expires the alert `tls.expiry` begins. Milliseconds. */
export const expiryAlertMs = 14 * 86_400_000;

/** Everything in the files that ends by itself, soonest first. */
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
