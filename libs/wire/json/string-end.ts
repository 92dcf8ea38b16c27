const quote = 0x22;
const backslash = 0x5c;

/** Returns the offset of the quote that ends the string whose first character is at `at`, or an offset past the bytes if there is none. */
export function stringEnd(bytes: Uint8Array, at: number): number {
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
