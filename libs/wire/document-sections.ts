import { sectionStart } from './catalog/section-start';
import { arrayEnd } from './json/array-end';

export interface DocumentSection {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Number of JSON values in the section, as `checkValues` counts them. */
  readonly weight: number;
  readonly boundary: string;
}

interface SectionMember {
  readonly name: string;
  readonly boundary: string;
}

const members: Readonly<Record<string, readonly SectionMember[]>> = {
  'replace catalog': [
    { name: 'resources', boundary: '},' },
    { name: 'edges', boundary: '},' },
  ],
  'replace facts': [{ name: 'package_inventory', boundary: '],' }],
};

export const commandsWithSections: readonly string[] = Object.keys(members);

type KnownEnd = (name: string, start: number) => Pick<DocumentSection, 'end' | 'weight'> | undefined;

/**
 * Returns the sections of a document, in order. Searches only for bytes, so a returned section can be a text that only
 * looks like a section. Takes linear time. Calls `knownEnd` first, because searching for the end of a section takes
 * longest.
 */
export function documentSections(
  command: string,
  document: Buffer,
  knownEnd: KnownEnd = () => undefined,
): DocumentSection[] {
  const found: DocumentSection[] = [];
  const wanted = new Set(members[command]);
  for (let from = 0; wanted.size > 0;) {
    const [first] = [...wanted]
      .map((member) => ({ member, start: sectionStart(document, `"${member.name}"`, from) }))
      .filter(({ start }) => start !== -1)
      .sort((a, b) => a.start - b.start);
    if (first === undefined) break;
    const { member, start } = first;
    const { name, boundary } = member;
    const array = knownEnd(name, start) ?? arrayEnd(document, start);
    if (array === undefined) break;
    found.push({ name, start, boundary, ...array });
    wanted.delete(member);
    from = array.end;
  }
  return found;
}
