import { stringEnd } from './string-end';

/**
 * The offset behind the object that starts at `start`, -1 if it does not end. Only strings and brackets are looked at, so
 * whoever needs an object that is JSON has to read what lies between.
 */
export function objectEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === 0x22) at = stringEnd(bytes, at + 1);
    else if (byte === 0x7b) depth++;
    else if (byte === 0x7d && --depth === 0) return at + 1;
  }
  return -1;
}
