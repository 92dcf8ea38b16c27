import { derElement, derElements, derName, derSerial, derTag, derTime } from './der';

/** Content of a certificate revocation list. */
export interface RevocationList {
  /** Spelled as in `CertificateNames`. */
  readonly issuer: string;
  /** Time in milliseconds since 1970 when the list expires; absent if it never expires. */
  readonly nextUpdate?: number;
  /** Spelled as in `CertificateNames`. */
  readonly serials: ReadonlySet<string>;
}

const isTime = (tag: number | undefined): boolean => tag === derTag.utcTime || tag === derTag.generalizedTime;

/**
 * Parses a list in DER. Throws a RangeError if it is invalid. OpenSSL checks the signature when it verifies a client.
 */
export function readRevocationList(der: Buffer): RevocationList {
  const fields = [...derElements(derElement(derElement(der).content).content)];
  if (fields[0]?.tag === derTag.integer) fields.shift();
  const [, issuer, thisUpdate, ...rest] = fields;
  if (issuer === undefined || !isTime(thisUpdate?.tag)) throw new RangeError('the list is incomplete');
  const next = isTime(rest[0]?.tag) ? rest.shift() : undefined;
  const revoked = rest[0]?.tag === derTag.sequence ? rest[0].content : Buffer.alloc(0);
  const serials = new Set<string>();
  for (const entry of derElements(revoked)) serials.add(derSerial(derElement(entry.content)));
  return { issuer: derName(issuer), serials, ...(next === undefined ? {} : { nextUpdate: derTime(next) }) };
}
