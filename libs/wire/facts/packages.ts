import { eachElement, readStrings } from '../check/elements';
import { describe, type Members } from '../check/members';
import { Problems } from '../check/problems';
import { JsonScan, trait } from '../json/scan';

export type Package = readonly [name: string, version: string, provider: string];

export interface CheckedPackages {
  readonly raw: string;
  readonly sent?: readonly Package[];
}

export function checkPackages<K extends string>(
  members: Members<K | 'package_inventory'>,
): CheckedPackages | undefined {
  if (!members.isArray('package_inventory', { nullable: true })) return undefined;
  const { scan, problems } = members;
  const { text } = scan;
  checkCount(members);
  const raw = members.raw('package_inventory');
  const sent = plainTriples(raw);
  if (sent !== undefined) return { raw, sent };
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

function checkCount<K extends string>(members: Members<K | 'package_inventory'>): void {
  const { scan } = members;
  const start = members.start('package_inventory');
  // Each element has at least two characters, including its comma.
  if ((members.end('package_inventory') - start) / 2 <= scan.limits.packages) return;
  eachElement(scan, start, (pos) => scan.skip(pos), 'packages');
}

/**
 * Parses a list of triples of strings without escapes, as agents send it. Returns undefined for any other text.
 * JSON.parse loses nothing if the text has neither numbers nor escapes.
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

export function readPackages({ raw, sent }: CheckedPackages): readonly Package[] {
  const packages = sent ?? carefully(raw);
  // Joined texts sort like their parts, because no part contains U+0000, and U+0000 sorts before all other characters.
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
