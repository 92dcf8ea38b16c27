import { derElement, derElements, derName, derSerial, derTag, derTime } from './der';

export interface RevocationList {
  readonly issuer: string;
  /** Milliseconds since 1970. Absent if the list never expires. */
  readonly nextUpdate?: number;
  readonly serials: ReadonlySet<string>;
}

const isTime = (tag: number | undefined): boolean => tag === derTag.utcTime || tag === derTag.generalizedTime;

/**
 * Throws a RangeError if the list is invalid. Does not check the signature, because OpenSSL checks it when it verifies
 * a client.
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
