import { derElement, derElements, derName, derSerial, derTag, derTime } from './der';

/** The content of a certificate revocation list. */
export interface RevocationList {
  /** As `CertificateNames` spells names. */
  readonly issuer: string;
  /** When the list must have been replaced by a newer one, in milliseconds since 1970; absent: never. */
  readonly nextUpdate?: number;
  /** As `CertificateNames` spells serial numbers. */
  readonly serials: ReadonlySet<string>;
}

const isTime = (tag: number | undefined): boolean => tag === derTag.utcTime || tag === derTag.generalizedTime;

/** Reads the DER form of a list. Throws a RangeError if it is no list. OpenSSL checks the signature when it verifies a client. */
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
