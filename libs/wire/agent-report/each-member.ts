import { type LimitName, overLimit } from '#limits';
import { decodeString } from '../json/strings';
import type { JsonScan } from '../json/scan';

/**
 * Goes through the members of the checked object that starts at `start`: `read` gets a name and the value's offset.
 * `most`: the limit on how many there may be; one more is the Fault `wire.limit`.
 */
export function eachMember(
  scan: JsonScan,
  start: number,
  read: (name: string, pos: number) => void,
  most: LimitName,
): void {
  let pos = scan.space(start + 1);
  if (scan.text.charCodeAt(pos) === 0x7d) return;
  for (let count = 1; ; count++) {
    if (count > scan.limits[most]) throw overLimit(scan.limits, most);
    const keyEnd = scan.string(pos);
    const name = decodeString(scan.text.slice(pos + 1, keyEnd - 1));
    const value = scan.space(scan.colon(keyEnd));
    read(name, value);
    pos = scan.space(scan.skip(value));
    if (scan.text.charCodeAt(pos) === 0x7d) return;
    pos = scan.space(pos + 1);
  }
}
