import { JsonScan } from './scan';
import { decodeString } from './strings';

export interface MemberTexts {
  /** Raw text of each value by name, as it was sent. Of equal keys, the last one counts. */
  readonly found: ReadonlyMap<string, string>;
  /** Names of some of the other members, without duplicates. */
  readonly others: readonly string[];
}

/** An error message needs no more. */
const mostOthers = 30;

/**
 * Returns the raw texts of the named members of a JSON object, without building values, because a short text can
 * represent a large value. Checks the whole text. A value may be nested as deep as a document. Returns undefined if the
 * text is not an object. Faults: those of JsonScan.
 */
export function sliceMembers(text: string, names: readonly string[]): MemberTexts | undefined {
  const found = new Map<string, string>();
  const others = new Set<string>();
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
    if (names.includes(name)) found.set(name, text.slice(value, valueEnd));
    else if (others.size < mostOthers) others.add(name);
    pos = scan.space(valueEnd);
    if (text.charCodeAt(pos) === 0x7d) break;
    if (text.charCodeAt(pos) !== 0x2c) throw scan.unexpected(pos, "',' or '}'");
    pos = scan.space(pos + 1);
  }
  const end = scan.space(isObject ? pos + 1 : pos);
  if (end < text.length) throw scan.unexpected(end, 'the end of the text');
  return isObject ? { found, others: [...others] } : undefined;
}
