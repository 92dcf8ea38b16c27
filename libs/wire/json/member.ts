import { JsonScan } from './scan';
import { decodeString } from './strings';

/**
 * The raw text of a top-level member of a JSON object, numbers and all as they were sent; the last of equal keys. The
 * whole text is checked. Undefined: no such member, or the text is no object. Faults as of JsonScan.
 */
export function sliceMember(text: string, name: string): string | undefined {
  const scan = new JsonScan(text);
  const start = scan.space(0);
  const end = scan.skip(start);
  if (text.charCodeAt(start) !== 0x7b) return undefined;
  let pos = scan.space(start + 1);
  let found: string | undefined;
  while (pos < end - 1) {
    const keyEnd = scan.string(pos);
    const valueStart = scan.space(scan.colon(keyEnd));
    const valueEnd = scan.skip(valueStart);
    if (decodeString(text.slice(pos + 1, keyEnd - 1)) === name) found = text.slice(valueStart, valueEnd);
    pos = scan.space(valueEnd);
    if (text.charCodeAt(pos) === 0x2c) pos = scan.space(pos + 1);
  }
  return found;
}
