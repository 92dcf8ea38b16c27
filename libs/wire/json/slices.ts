import { eachElement, eachMember } from '../check/elements';
import { JsonScan } from './scan';

export interface MemberTexts {
  /** Unchanged JSON texts of the values. If a key is repeated, its last value is used. */
  readonly found: ReadonlyMap<string, string>;
  readonly others: readonly string[];
}

const mostOthers = 30;

/**
 * Builds no values, because a short text can represent a large value. Checks the whole text. Returns undefined if the
 * text is not an object. Throws the faults of JsonScan.
 */
export function sliceMembers(text: string, names: readonly string[]): MemberTexts | undefined {
  const found = new Map<string, string>();
  const others = new Set<string>();
  const isObject = readWhole(text, 0x7b, (scan, start) =>
    eachMember(scan, start, (name, pos) => {
      const end = scan.skip(pos);
      if (names.includes(name)) found.set(name, text.slice(pos, end));
      else if (others.size < mostOthers) others.add(name);
      return end;
    }),
  );
  return isObject ? { found, others: [...others] } : undefined;
}

/** Returns undefined if the text is not an array. Throws the faults of JsonScan. */
export function sliceElements(text: string): string[] | undefined {
  const elements: string[] = [];
  const isArray = readWhole(text, 0x5b, (scan, start) =>
    eachElement(scan, start, (pos) => {
      const end = scan.skip(pos);
      elements.push(text.slice(pos, end));
      return end;
    }),
  );
  return isArray ? elements : undefined;
}

/**
 * Checks that a text is one JSON value. If the value begins with `opening`, calls `read` for the value and returns
 * true.
 */
function readWhole(text: string, opening: number, read: (scan: JsonScan, start: number) => number): boolean {
  const scan = new JsonScan(text);
  const start = scan.space(0);
  const isWanted = text.charCodeAt(start) === opening;
  const end = scan.space(isWanted ? read(scan, start) : scan.skip(start));
  if (end < text.length) throw scan.unexpected(end, 'the end of the text');
  return isWanted;
}
