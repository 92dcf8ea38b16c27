/** The large sections of documents, which a log may store once. */
import { sectionStart } from './catalog/section-start';
import { arrayEnd } from './json/array-end';

/** A range of a document's bytes that is the value of a member. */
export interface DocumentSection {
  /** Name of the member. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Number of values in the section, as `checkValues` counts them. */
  readonly weight: number;
  /** Text between two elements. */
  readonly boundary: string;
}

interface SectionMember {
  readonly name: string;
  readonly boundary: string;
}

/** The members of each command that are often unchanged. Other members change with each document. */
const members: Readonly<Record<string, readonly SectionMember[]>> = {
  'replace catalog': [
    { name: 'resources', boundary: '},' },
    { name: 'edges', boundary: '},' },
  ],
  'replace facts': [{ name: 'package_inventory', boundary: '],' }],
};

/** Commands whose unchanged sections the projector does not read (`readUnchangedDocument`). */
export const readInParts: readonly string[] = ['replace catalog'];

/** Commands whose documents have large sections. */
export const commandsWithSections: readonly string[] = Object.keys(members);

/** Returns the end and the weight of a section of this name that begins at `start`, or undefined if they are not known. */
type KnownEnd = (name: string, start: number) => Pick<DocumentSection, 'end' | 'weight'> | undefined;

/**
 * Returns the sections of a document, in order. Searches only for bytes, so a range may be text that looks like a
 * section. Takes linear time. Searching for the end takes longest, and is left out if `knownEnd` knows the end.
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
