import { space } from '../json/space';

/**
 * Finds the first occurrence of the key from the offset `from` on, and returns the offset of the array that follows.
 * Returns -1 if there is none. Searches only for bytes, so the key may belong to another object or to a string.
 */
export function sectionStart(payload: Buffer, key: string, from: number): number {
  for (let at = payload.indexOf(key, from, 'latin1'); at !== -1; at = payload.indexOf(key, at + key.length, 'latin1')) {
    let pos = space(payload, at + key.length);
    if (payload[pos] !== 0x3a) continue;
    pos = space(payload, pos + 1);
    if (payload[pos] === 0x5b) return pos;
  }
  return -1;
}
