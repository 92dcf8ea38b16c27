import { hash } from 'node:crypto';
import type { CatalogSections, SectionDigest } from '../documents';
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
  const resources = findSection(payload, '"resources"', known.resources);
  if (resources === undefined) return undefined;
  const edges = findSection(payload, '"edges"', known.edges);
  if (edges === undefined) return undefined;
  const [first, second] = resources.start < edges.start ? [resources, edges] : [edges, resources];
  return second.start < first.end ? undefined : leaveOut(payload, resources, edges);
}

/** Leaves two ranges out of a catalog's bytes that do not overlap: arrays that look like its sections. */
export function leaveOut(payload: Buffer, resources: Range, edges: Range): CatalogRest {
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
export const rangeDigest = (payload: Buffer, { start, end }: Range): SectionDigest => ({
  length: end - start,
  sha256: sha256(payload.subarray(start, end)),
});

const sha256 = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');

export interface Range {
  readonly start: number;
  readonly end: number;
}

function findSection(payload: Buffer, key: string, digest: SectionDigest): Range | undefined {
  let start = sectionStart(payload, key, 0);
  for (let left = attempts; start !== -1; start = sectionStart(payload, key, start)) {
    const end = start + digest.length;
    if (payload[end - 1] !== 0x5d) continue;
    if (left-- === 0) return undefined;
    if (sha256(payload.subarray(start, end)).equals(digest.sha256)) return { start, end };
  }
  return undefined;
}
