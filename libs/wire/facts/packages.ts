import { eachElement, readStrings } from '../check/elements';
import { describe, type Members } from '../check/members';
import { Problems } from '../check/problems';
import { byUnits } from '../json/rewrite';
import { JsonScan, trait } from '../json/scan';

type Package = readonly [string, string, string];

/** A checked `package_inventory`. */
export interface Inventory {
  /** Its text. */
  readonly raw: string;
  /** What it says, where the check has made it already. */
  readonly packages?: readonly Package[];
}

/** Checks `package_inventory` (triples of strings, or null); undefined if there is none. `readPackages` gives what it says. */
export function checkPackages<K extends string>(members: Members<K | 'package_inventory'>): Inventory | undefined {
  const kind = members.kind('package_inventory');
  if (kind === undefined || kind === 'null') return undefined;
  if (kind !== 'array') {
    members.wrong('package_inventory', 'an array or null');
    return undefined;
  }
  const { scan, problems } = members;
  const { text } = scan;
  checkCount(members);
  const raw = members.raw('package_inventory');
  const plain = plainTriples(raw);
  if (plain !== undefined) return inOrder(plain) ? { raw, packages: plain } : { raw };
  const unusual = (members.traits('package_inventory') & trait.escape) !== 0;
  eachElement(scan, members.start('package_inventory'), (pos, index) => {
    const wrong = (found: string): void =>
      problems.add(`package_inventory[${index}]`, 'an array of name, version and provider', found);
    const end = scan.skip(pos);
    if (text.charCodeAt(pos) !== 0x5b) wrong(describe(text, pos));
    else {
      let strings = 0;
      eachElement(scan, pos, (element) => {
        if (text.charCodeAt(element) === 0x22) strings++;
        else strings = Number.NaN;
        return scan.skip(element);
      });
      if (strings !== 3) wrong(Number.isNaN(strings) ? 'one with other elements' : `an array of ${strings} strings`);
      else if (unusual) readStrings(scan, pos, problems, () => `package_inventory[${index}]`);
    }
    return end;
  });
  return { raw };
}

/** Fault `wire.limit` where there are too many. A list that is too short for that is not gone through. */
function checkCount<K extends string>(members: Members<K | 'package_inventory'>): void {
  const { scan } = members;
  const start = members.start('package_inventory');
  // An element has two characters at least, the comma included.
  if ((members.end('package_inventory') - start) / 2 <= scan.limits.packages) return;
  eachElement(scan, start, (pos) => scan.skip(pos), 'packages');
}

/**
 * The elements of a text that are all triples of strings written without escapes, which is what machines send; undefined
 * for any other. Nothing is lost by the language's own parser where there are no numbers and no escapes.
 */
function plainTriples(raw: string): readonly Package[] | undefined {
  if (raw.includes('\\')) return undefined;
  let list: unknown[];
  try {
    list = JSON.parse(raw) as unknown[];
  } catch {
    return undefined;
  }
  const plain = list.every(
    (one) => Array.isArray(one) && one.length === 3 && one.every((part) => typeof part === 'string'),
  );
  return plain ? (list as Package[]) : undefined;
}

/** Whether the list is as `readPackages` gives it already. */
function inOrder(list: readonly Package[]): boolean {
  let before: string | undefined;
  for (const one of list) {
    const key = one.join('\0');
    if (before !== undefined && byUnits(before, key) >= 0) return false;
    before = key;
  }
  return true;
}

/** The packages of a checked inventory: distinct, sorted by name, version and provider. */
export function readPackages({ raw, packages }: Inventory): readonly Package[] {
  if (packages !== undefined) return packages;
  const scan = new JsonScan(raw);
  const checked = new Problems('package_inventory');
  const found = new Map<string, Package>();
  eachElement(scan, 0, (pos) => {
    const triple = readStrings(scan, pos, checked, () => '') as unknown as Package;
    // U+0000 stands in none of them and before everything else: the joined texts sort as their parts do.
    found.set(triple.join('\0'), triple);
    return scan.skip(pos);
  });
  return [...found.keys()].sort(byUnits).map((key) => found.get(key)!);
}
