import { type LimitName, overLimit } from '#limits';
import { decodeString } from '../json/strings';
import type { JsonScan } from '../json/scan';

/**
 * Calls `read` with the name and the offset of the value of each member of the checked object at `start`. Fault
 * `wire.limit` if there are more than `most` members.
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
