import { hash } from 'node:crypto';
import { eachElement, readStrings } from '../check/elements';
import { describe, type Members } from '../check/members';
import { Problems } from '../check/problems';
import { JsonScan, trait } from '../json/scan';

export type Package = readonly [name: string, version: string, provider: string];

/** A checked `package_inventory`. */
export interface Inventory {
  /** Its text, and the SHA-256 of it. */
  readonly raw: string;
  readonly sha256: string;
  /** The packages as they were sent, where the check has parsed them. */
  readonly sent?: readonly Package[];
}

/**
 * Checks `package_inventory` (triples of strings, or null); undefined if there is none. `isKnown`: whether a text with this
 * SHA-256 was checked before. `readPackages` gives what it says.
 */
export function checkPackages<K extends string>(
  members: Members<K | 'package_inventory'>,
  isKnown: (sha256: string) => boolean,
): Inventory | undefined {
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
  const sha256 = hash('sha256', raw, 'binary');
  if (isKnown(sha256)) return { raw, sha256 };
  const sent = plainTriples(raw);
  if (sent !== undefined) return { raw, sha256, sent };
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
  return { raw, sha256 };
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

/** The packages of a checked inventory: distinct, sorted by name, version and provider. */
export function readPackages({ raw, sent }: Inventory): readonly Package[] {
  const packages = sent ?? plainTriples(raw) ?? carefully(raw);
  // U+0000 stands in none of them and before everything else: the joined texts sort as their parts do.
  const keys = packages.map(([name, version, provider]) => `${name}\0${version}\0${provider}`);
  if (keys.every((key, index) => index === 0 || keys[index - 1]! < key)) return packages;
  const found = new Map(keys.map((key, index) => [key, packages[index]!]));
  return [...found.keys()].sort().map((key) => found.get(key)!);
}

function carefully(raw: string): readonly Package[] {
  const scan = new JsonScan(raw);
  const checked = new Problems('package_inventory');
  const found: Package[] = [];
  eachElement(scan, 0, (pos) => {
    found.push(readStrings(scan, pos, checked, () => '') as unknown as Package);
    return scan.skip(pos);
  });
  return found;
}
