import { JsonScan } from './scan';

/**
 * Returns the raw texts of the elements of a JSON array, or undefined if the text is not an array. Faults: those of
 * JsonScan.
 */
export function sliceElements(text: string): string[] | undefined {
  const scan = new JsonScan(text);
  const start = scan.space(0);
  if (text.charCodeAt(start) !== 0x5b) {
    scan.skip(start);
    return undefined;
  }
  const elements: string[] = [];
  let pos = scan.space(start + 1);
  if (text.charCodeAt(pos) === 0x5d) pos += 1;
  else {
    for (;;) {
      const end = scan.skip(pos);
      elements.push(text.slice(pos, end));
      pos = scan.space(end);
      const c = text.charCodeAt(pos);
      pos = scan.space(pos + 1);
      if (c === 0x5d) break;
      if (c !== 0x2c) throw scan.unexpected(pos - 1, "',' or ']'");
    }
  }
  const end = scan.space(pos);
  if (end < text.length) throw scan.unexpected(end, 'the end of the text');
  return elements;
}
