import { eachElement, readStrings } from '../check/elements';
import { describe, type Members } from '../check/members';
import { byUnits } from '../json/rewrite';
import { encodeString } from '../json/strings';

type Package = readonly [string, string, string];

/** `package_inventory`: triples of strings, made distinct and sorted by their JSON text; undefined if absent or null. */
export function readPackages<K extends string>(
  members: Members<K | 'package_inventory'>,
): readonly Package[] | undefined {
  const kind = members.kind('package_inventory');
  if (kind === undefined || kind === 'null') return undefined;
  if (kind !== 'array') {
    members.wrong('package_inventory', 'an array or null');
    return undefined;
  }
  const { scan, problems } = members;
  const found = new Map<string, Package>();
  eachElement(scan, members.start('package_inventory'), (pos, index) => {
    const path = `package_inventory[${index}]`;
    const expected = 'an array of name, version and provider';
    if (scan.text.charCodeAt(pos) !== 0x5b) problems.add(path, expected, describe(scan.text, pos));
    else {
      const triple = readStrings(scan, pos, problems, () => path);
      if (triple.length !== 3) problems.add(path, expected, `an array of ${triple.length} strings`);
      else found.set(triple.map(encodeString).join(), triple as unknown as Package);
    }
    return scan.skip(pos);
  });
  return [...found.keys()].sort(byUnits).map((key) => found.get(key)!);
}
