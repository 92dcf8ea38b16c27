import { hash } from 'node:crypto';
import type { CatalogSections, DocumentParts, SectionDigest } from '../documents';
import { payloadText } from '../payload-text';
import { sectionStart } from './section-start';

/** The text of a catalog without its two large sections. */
export interface CatalogRest {
  readonly text: string;
  /** Offsets in `text` of the empty arrays that replace the sections. */
  readonly places: { readonly resources: number; readonly edges: number };
}

/**
 * Largest number of ranges of the right length that are hashed. If none of them equals the section, the section counts
 * as changed.
 */
const attempts = 3;

/**
 * Removes both sections from a catalog's bytes if they equal those of `known`, otherwise returns undefined. The result
 * is a guess, because the removed bytes may belong to a deeper object. So the reader must check that the members are at
 * `places`.
 */
export function leaveOutKnown(payload: Buffer, known: CatalogSections): CatalogRest | undefined {
  const [first, second] = inOrder(payload);
  const before = findSection(payload, first, known[first], 0);
  if (before === undefined) return undefined;
  const after = findSection(payload, second, known[second], before.end);
  if (after === undefined) return undefined;
  return first === 'resources' ? leaveOut(payload, before, after) : leaveOut(payload, after, before);
}

/**
 * Returns the rest of a catalog whose sections were left out before. Returns undefined if they are not the sections of
 * `known`.
 */
export function restOfKnown({ rest, sections }: DocumentParts, known: CatalogSections): CatalogRest | undefined {
  const ranges = rangesOf(sections, known);
  return ranges && leaveOut(rest, ranges.get('resources')!, ranges.get('edges')!);
}

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

/**
 * Number of bytes within which the first section usually begins. Searching all bytes of a catalog would take as long as
 * finding both sections.
 */
const usualStart = 64 << 10;

/** Guesses the order of the sections. If the guess is wrong, the sections are not found. */
function inOrder(payload: Buffer): readonly [SectionName, SectionName] {
  const start = payload.subarray(0, usualStart);
  const edges = startOf(start, 'edges', 0);
  const resources = startOf(start, 'resources', 0);
  return edges !== -1 && (resources === -1 || edges < resources) ? ['edges', 'resources'] : ['resources', 'edges'];
}

/** Replaces two ranges of a catalog's bytes by empty arrays. The ranges must not overlap. */
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

/** Returns the digest of a section. `start` and `end` are offsets in the text of the payload. */
export function sectionDigest(payload: Buffer, text: string, start: number, end: number): SectionDigest {
  const ascii = payload.length === text.length;
  const from = ascii ? start : Buffer.byteLength(text.slice(0, start));
  const length = ascii ? end - start : Buffer.byteLength(text.slice(start, end));
  return rangeDigest(payload, { start: from, end: from + length });
}

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
