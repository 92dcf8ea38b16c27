import { hash } from 'node:crypto';
import type { CatalogSections, DocumentParts, SectionDigest } from '../documents';
import { payloadText } from '../payload-text';
import { sectionStart } from './section-start';

/** The text of a catalog without its two large sections. */
export interface CatalogRest {
  readonly text: string;
  /** Where in `text` an empty array stands for each. */
  readonly places: { readonly resources: number; readonly edges: number };
}

/** How often bytes of the right length are hashed before a section counts as changed. */
const attempts = 3;

/**
 * Leaves both sections out of a catalog's bytes if they are those of `known`. What comes back is a proposal: bytes that
 * look like a member may lie deeper, so the reader has to find the members where `places` says. Undefined: not both known.
 */
export function leaveOutKnown(payload: Buffer, known: CatalogSections): CatalogRest | undefined {
  const [first, second] = inOrder(payload);
  const before = findSection(payload, first, known[first], 0);
  if (before === undefined) return undefined;
  const after = findSection(payload, second, known[second], before.end);
  if (after === undefined) return undefined;
  return first === 'resources' ? leaveOut(payload, before, after) : leaveOut(payload, after, before);
}

/** The same of a catalog that comes without its sections. Undefined if these are not the two of `known`. */
export function restOfKnown({ rest, sections }: DocumentParts, known: CatalogSections): CatalogRest | undefined {
  const ranges = rangesOf(sections, known);
  return ranges && leaveOut(rest, ranges.get('resources')!, ranges.get('edges')!);
}

/** Whether sections of a catalog are the two of `known`. */
export const isUnchanged = (sections: DocumentParts['sections'], known: CatalogSections): boolean =>
  rangesOf(sections, known) !== undefined;

function rangesOf(
  sections: DocumentParts['sections'],
  known: CatalogSections,
): ReadonlyMap<SectionName, Range> | undefined {
  if (sections.length !== names.length) return undefined;
  const ranges = new Map<SectionName, Range>();
  for (const { at, length, sha256 } of sections) {
    const name = names.find(
      (one) => !ranges.has(one) && known[one].length === length && known[one].sha256.equals(sha256),
    );
    if (name === undefined) return undefined;
    ranges.set(name, { start: at, end: at });
  }
  return ranges;
}

type SectionName = keyof CatalogSections;
const names: readonly SectionName[] = ['resources', 'edges'];

const startOf = (payload: Buffer, name: SectionName, from: number): number => sectionStart(payload, `"${name}"`, from);

/** Within so many bytes the first section usually begins. To search all bytes of a catalog takes as long as to find both sections. */
const usualStart = 64 << 10;

/** The section that comes first, and the other one. It is a guess: if it is wrong, the sections are not found. */
function inOrder(payload: Buffer): readonly [SectionName, SectionName] {
  const start = payload.subarray(0, usualStart);
  const edges = startOf(start, 'edges', 0);
  const resources = startOf(start, 'resources', 0);
  return edges !== -1 && (resources === -1 || edges < resources) ? ['edges', 'resources'] : ['resources', 'edges'];
}

/** Leaves two ranges out of a catalog's bytes that do not overlap: arrays that look like its sections. */
function leaveOut(payload: Buffer, resources: Range, edges: Range): CatalogRest {
  const [first, second] = resources.start < edges.start ? [resources, edges] : [edges, resources];
  let text = payloadText(payload.subarray(0, first.start));
  const firstPlace = text.length;
  text += `[]${payloadText(payload.subarray(first.end, second.start))}`;
  const secondPlace = text.length;
  text += `[]${payloadText(payload.subarray(second.end))}`;
  return {
    text,
    places:
      first === resources
        ? { resources: firstPlace, edges: secondPlace }
        : { resources: secondPlace, edges: firstPlace },
  };
}

/** The digest of a section that lies between two offsets of the payload's text. */
export function sectionDigest(payload: Buffer, text: string, start: number, end: number): SectionDigest {
  const ascii = payload.length === text.length;
  const from = ascii ? start : Buffer.byteLength(text.slice(0, start));
  const length = ascii ? end - start : Buffer.byteLength(text.slice(start, end));
  return rangeDigest(payload, { start: from, end: from + length });
}

/** The same of a range of its bytes. */
const rangeDigest = (payload: Buffer, { start, end }: Range): SectionDigest => ({
  length: end - start,
  sha256: sha256(payload.subarray(start, end)),
});

const sha256 = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');

export interface Range {
  readonly start: number;
  readonly end: number;
}

function findSection(payload: Buffer, name: SectionName, digest: SectionDigest, from: number): Range | undefined {
  let start = startOf(payload, name, from);
  for (let left = attempts; start !== -1; start = startOf(payload, name, start)) {
    const end = start + digest.length;
    if (payload[end - 1] !== 0x5d) continue;
    if (left-- === 0) return undefined;
    if (sha256(payload.subarray(start, end)).equals(digest.sha256)) return { start, end };
  }
  return undefined;
}
