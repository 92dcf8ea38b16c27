import { isAscii, isUtf8 } from 'node:buffer';
import { Fault } from '#fault';

/** Throws `wire.encoding` if the bytes are not UTF-8. */
export function payloadText(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw new Fault('malformed', 'wire.encoding', 'The payload is not valid UTF-8.');
  return bytes.toString('utf8');
}
