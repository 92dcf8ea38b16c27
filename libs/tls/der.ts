interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

export const derTag = { integer: 0x02, oid: 0x06, utcTime: 0x17, generalizedTime: 0x18, sequence: 0x30, version: 0xa0 };

/** Throws a RangeError if `bytes` is not valid DER. */
export function* derElements(bytes: Buffer): Generator<DerElement> {
  for (let at = 0; at < bytes.length;) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    // More than four bytes are too many for any certificate or revocation list. 0x80 announces an indefinite length,
    // which DER does not allow.
    if (lengthBytes > 4 || first === 0x80) throw new RangeError('a length that DER does not allow');
    const start = at + 2 + lengthBytes;
    const end = start + (lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes));
    if (end > bytes.length) throw new RangeError('an element is longer than what holds it');
    yield { tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) };
    at = end;
  }
}

export function derElement(bytes: Buffer): DerElement {
  for (const element of derElements(bytes)) return element;
  throw new RangeError('nothing where an element is expected');
}

/**
 * Equal names have the same text, even if they differ in case, or in whether a part is a PrintableString or a
 * UTF8String.
 */
export function derName(name: DerElement): string {
  const parts: string[] = [];
  for (const set of derElements(name.content)) {
    for (const pair of derElements(set.content)) {
      const [type, value] = derElements(pair.content);
      if (type === undefined || value === undefined) throw new RangeError('a part of a name is incomplete');
      parts.push(`${type.content.toString('hex')}=${value.content.toString('utf8').trim().toLowerCase()}`);
    }
  }
  return parts.join('/');
}

export const derSerial = ({ content }: DerElement): string => content.toString('hex').replace(/^0+(?=.)/, '');

/** Converts `261122021656Z` (UTCTime) or `20261122021656Z` (GeneralizedTime) to milliseconds since 1970. */
export function derTime({ tag, content }: DerElement): number {
  const text = content.toString('latin1');
  const [, year = '', month, day, hour, minute, second] =
    /^(\d{4}|\d{2})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  if ((year.length === 2) !== (tag === derTag.utcTime)) throw new RangeError('a time that cannot be read');
  // RFC 5280 assigns two-digit years from 50 on to the 20th century.
  const century = year.length === 4 ? '' : Number(year) >= 50 ? '19' : '20';
  return Date.parse(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
