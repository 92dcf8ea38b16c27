import { type Limits, overLimit } from '#limits';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const openBrace = 0x7b;

/**
 * Refuses a payload with too many values before anything is made from it, because a list of digits takes up many times
 * its text in memory. Counts opening brackets and commas, whether the text is JSON or not. Does not count payloads that
 * are too short for that many. Fault `wire.limit`.
 */
export function checkValues(payload: Buffer, limits: Limits): void {
  const most = limits.documentValues;
  if (payload.length <= most) return;
  let found = 1;
  for (let at = 0; at < payload.length; at++) {
    const byte = payload[at]!;
    if (byte === quote) at = stringEnd(payload, at + 1);
    else if ((byte === comma || byte === openBracket || byte === openBrace) && ++found > most)
      throw overLimit(limits, 'documentValues');
  }
}

/** Returns the offset of the quote that ends the string whose first character is at `at`, or an offset past the bytes if there is none. */
function stringEnd(bytes: Uint8Array, at: number): number {
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
