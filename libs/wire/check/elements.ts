import { type LimitName, overLimit } from '#limits';
import { decodeString } from '../json/strings';
import type { JsonScan } from '../json/scan';
import { describe, Members } from './members';
import { Problems } from './problems';
import type { Shape } from './shape';

/**
 * Calls `read` for each element of the array at `start`, and returns the offset after the array. `read` checks the
 * element and returns the offset after the element. Throws `wire.json`, or `wire.limit` if the array exceeds the limit
 * `most`.
 */
export function eachElement(
  scan: JsonScan,
  start: number,
  read: (pos: number, index: number) => number,
  most?: LimitName,
): number {
  const limit = most === undefined ? Infinity : scan.limits[most];
  let pos = scan.space(start + 1);
  if (scan.text.charCodeAt(pos) === 0x5d) return pos + 1;
  for (let index = 0; ; index++) {
    if (index >= limit) throw overLimit(scan.limits, most as LimitName);
    pos = scan.space(read(scan.space(pos), index));
    const after = scan.text.charCodeAt(pos++);
    if (after === 0x5d) return pos;
    if (after !== 0x2c) throw scan.unexpected(pos - 1, "',' or ']'");
  }
}

/** Works like `eachElement`, for the members of an object. */
export function eachMember(
  scan: JsonScan,
  start: number,
  read: (name: string, pos: number) => number,
  most?: LimitName,
): number {
  const { text } = scan;
  const limit = most === undefined ? Infinity : scan.limits[most];
  let pos = scan.space(start + 1);
  if (text.charCodeAt(pos) === 0x7d) return pos + 1;
  for (let count = 1; ; count++) {
    if (count > limit) throw overLimit(scan.limits, most as LimitName);
    if (text.charCodeAt(pos) !== 0x22) throw scan.unexpected(pos, 'a quoted key');
    const keyEnd = scan.string(pos);
    const name = decodeString(text.slice(pos + 1, keyEnd - 1));
    pos = scan.space(read(name, scan.space(scan.colon(keyEnd))));
    const after = text.charCodeAt(pos++);
    if (after === 0x7d) return pos;
    if (after !== 0x2c) throw scan.unexpected(pos - 1, "',' or '}'");
    pos = scan.space(pos);
  }
}

export function readObjects<K extends string, E extends string, T>(
  members: Members<K>,
  name: K,
  shape: Shape<E>,
  read: (object: Members<E>) => T,
  most?: LimitName,
): T[] {
  const object = new Members(members.scan, shape, members.problems, members.depth + 2);
  object.base = () => members.path(name);
  const found: T[] = [];
  eachObject(object, members.start(name), (one) => found.push(read(one)), most);
  return found;
}

/**
 * Calls `read` for each object in the array at `start`. All calls get the instance `object`, so `read` must not keep
 * it. Returns the offset after the array.
 */
export const eachObject = <E extends string>(
  object: Members<E>,
  start: number,
  read: (object: Members<E>) => void,
  most?: LimitName,
): number =>
  eachElement(
    object.scan,
    start,
    (pos, index) => {
      object.index = index;
      const end = object.open(pos);
      read(object);
      return end;
    },
    most,
  );

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
