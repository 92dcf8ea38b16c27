import { type LimitName, overLimit } from '#limits';
import { decodeString } from '../json/strings';
import type { JsonScan } from '../json/scan';
import { Problems } from './problems';
import { describe } from './members';

/**
 * Calls `read` with the offset and index of each element of the array at `start`. `read` returns the offset after the
 * element. Fault `wire.limit` if there are more than `most` elements.
 */
export function eachElement(
  scan: JsonScan,
  start: number,
  read: (pos: number, index: number) => number,
  most?: LimitName,
): void {
  const limit = most === undefined ? Infinity : scan.limits[most];
  let pos = scan.space(start + 1);
  if (scan.text.charCodeAt(pos) === 0x5d) return;
  for (let index = 0; ; index++) {
    if (index >= limit) throw overLimit(scan.limits, most as LimitName);
    pos = scan.space(read(scan.space(pos), index));
    if (scan.text.charCodeAt(pos) === 0x5d) return;
    pos++;
  }
}

/** Returns the strings of the array at `start`. Adds a problem for other elements and for strings with U+0000. */
export function readStrings(scan: JsonScan, start: number, problems: Problems, path: () => string): string[] {
  const strings: string[] = [];
  eachElement(scan, start, (pos, index) => {
    if (scan.text.charCodeAt(pos) !== 0x22) {
      problems.add(`${path()}[${index}]`, 'a string', describe(scan.text, pos));
      return scan.skip(pos);
    }
    scan.traits = 0;
    const end = scan.string(pos);
    let text = scan.text.slice(pos + 1, end - 1);
    if (scan.traits !== 0) {
      text = decodeString(text);
      if (text.includes('\0')) problems.add(`${path()}[${index}]`, 'a string without U+0000', 'one with it');
    }
    strings.push(text);
    return end;
  });
  return strings;
}
