import { JsonScan } from './scan';
import { decodeString } from './strings';

export interface MemberTexts {
  /** By name, the raw text of a value, numbers and all as they were sent; the last of equal keys. */
  readonly found: ReadonlyMap<string, string>;
  /** Names of some further members, each once. */
  readonly others: readonly string[];
}

/** An error message has no use for more. */
const mostOthers = 30;

/**
 * The named members of the object that a JSON text is, without building any value: a few characters can stand for a large
 * one. The whole text is checked. A value may be nested as deep as a document. Undefined if the text is no object. Faults
 * as of JsonScan.
 */
export function sliceMembers(text: string, names: readonly string[]): MemberTexts | undefined {
  const found = new Map<string, string>();
  const others = new Set<string>();
  const isObject = eachMember(text, (name, start, end) => {
    if (names.includes(name)) found.set(name, text.slice(start, end));
    else if (others.size < mostOthers) others.add(name);
  });
  return isObject ? { found, others: [...others] } : undefined;
}

/** The raw text of each member of the object that a JSON text is, in their order; the last of equal keys. Undefined and Faults as of sliceMembers. */
export function allMembers(text: string): ReadonlyMap<string, string> | undefined {
  const members = new Map<string, string>();
  return eachMember(text, (name, start, end) => members.set(name, text.slice(start, end))) ? members : undefined;
}

/** Gives the name of each member, and where its value starts and ends. False if the text is no object. */
function eachMember(text: string, take: (name: string, start: number, end: number) => unknown): boolean {
  const scan = new JsonScan(text);
  const start = scan.space(0);
  const isObject = text.charCodeAt(start) === 0x7b;
  let pos = isObject ? scan.space(start + 1) : scan.skip(start);
  for (let isFirst = true; isObject; isFirst = false) {
    if (isFirst && text.charCodeAt(pos) === 0x7d) break;
    if (text.charCodeAt(pos) !== 0x22) throw scan.unexpected(pos, 'a quoted key');
    const keyEnd = scan.string(pos);
    const name = decodeString(text.slice(pos + 1, keyEnd - 1));
    const value = scan.space(scan.colon(keyEnd));
    const valueEnd = scan.skip(value);
    take(name, value, valueEnd);
    pos = scan.space(valueEnd);
    if (text.charCodeAt(pos) === 0x7d) break;
    if (text.charCodeAt(pos) !== 0x2c) throw scan.unexpected(pos, "',' or '}'");
    pos = scan.space(pos + 1);
  }
  const end = scan.space(isObject ? pos + 1 : pos);
  if (end < text.length) throw scan.unexpected(end, 'the end of the text');
  return isObject;
}
