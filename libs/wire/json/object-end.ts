import { stringEnd } from './string-end';

/**
 * Returns the offset after the object at `start`, or -1 if it does not end. Looks only at strings and brackets, so the
 * caller must check that the object is JSON.
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
