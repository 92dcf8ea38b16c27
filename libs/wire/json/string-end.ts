const quote = 0x22;
const backslash = 0x5c;

/**
 * `at` is the offset of the first character of the string. Returns an offset after the last byte if the string does not
 * end.
 */
export function stringEnd(bytes: Uint8Array, at: number): number {
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
