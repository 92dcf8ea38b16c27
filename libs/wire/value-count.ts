import { type Limits, overLimit } from '#limits';
import { stringEnd } from './json/string-end';

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const openBrace = 0x7b;

export interface LeftOutValues {
  readonly bytes: number;
  readonly values: number;
}

/**
 * Throws `wire.limit` if a payload has too many values. Runs before parsing, because parsed lists of digits take many
 * times the memory of their text. Counts opening brackets and commas, even if the text is not JSON. Skips payloads
 * whose bytes are too few to exceed the limit.
 */
export function checkValues(payload: Buffer, limits: Limits, leftOut: LeftOutValues = { bytes: 0, values: 0 }): void {
  const most = limits.documentValues;
  if (payload.length + leftOut.bytes <= most) return;
  let found = 1 + leftOut.values;
  if (found > most) throw overLimit(limits, 'documentValues');
  for (let at = 0; at < payload.length; at++) {
    const byte = payload[at]!;
    if (byte === quote) at = stringEnd(payload, at + 1);
    else if ((byte === comma || byte === openBracket || byte === openBrace) && ++found > most)
      throw overLimit(limits, 'documentValues');
  }
}
