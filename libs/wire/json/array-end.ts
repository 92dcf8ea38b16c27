import { stringEnd } from './string-end';

const [quote, comma] = [0x22, 0x2c];
const [openBracket, closeBracket, openBrace] = [0x5b, 0x5d, 0x7b];

/**
 * Returns the offset after the array at `start`, and the number of its lists, maps and commas (`weight`). Looks only at
 * strings, brackets, braces and commas, so the caller must check that the array is JSON. Returns undefined if the array
 * does not end.
 */
export function arrayEnd(
  bytes: Uint8Array,
  start: number,
): { readonly end: number; readonly weight: number } | undefined {
  let depth = 0;
  let weight = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === quote) at = stringEnd(bytes, at + 1);
    else if (byte === comma || byte === openBrace) weight++;
    else if (byte === openBracket) {
      weight++;
      depth++;
    } else if (byte === closeBracket && --depth === 0) return { end: at + 1, weight };
  }
  return undefined;
}
