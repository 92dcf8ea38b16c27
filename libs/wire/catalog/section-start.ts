import { space } from '../json/space';

/**
 * Where the array begins that stands after the first member of this name, at or after `from`; -1 if there is none. The
 * bytes are only searched: the member may be one of another object, or lie in a string.
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
