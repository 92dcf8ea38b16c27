import { eachElement, eachMember } from '../check/elements';
import { JsonScan } from './scan';

export interface MemberTexts {
  /** Raw text of each value by name, as it was sent. If a key occurs several times, its last value counts. */
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

/** Returns the raw texts of the elements of a JSON array, or undefined if the text is not an array. Faults: those of JsonScan. */
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

/** Checks a text that is one value. Calls `read` if the value begins with `opening`, and returns whether it does. */
function readWhole(text: string, opening: number, read: (scan: JsonScan, start: number) => number): boolean {
  const scan = new JsonScan(text);
  const start = scan.space(0);
  const isWanted = text.charCodeAt(start) === opening;
  const end = scan.space(isWanted ? read(scan, start) : scan.skip(start));
  if (end < text.length) throw scan.unexpected(end, 'the end of the text');
  return isWanted;
}
