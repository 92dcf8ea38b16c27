import { hash } from 'node:crypto';
import type { CatalogSections, SectionDigest } from '../documents';
import { payloadText } from '../payload-text';

/** The text of a catalog without its two large sections. */
interface CatalogRest {
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
  if (second.start < first.end) return undefined;
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
  return { length, sha256: sha256(payload.subarray(from, from + length)) };
}

const sha256 = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');

interface Range {
  readonly start: number;
  readonly end: number;
}

function findSection(payload: Buffer, key: string, digest: SectionDigest): Range | undefined {
  let left = attempts;
  for (let at = payload.indexOf(key, 0, 'latin1'); at !== -1; at = payload.indexOf(key, at + key.length, 'latin1')) {
    let start = space(payload, at + key.length);
    if (payload[start] !== 0x3a) continue;
    start = space(payload, start + 1);
    const end = start + digest.length;
    if (payload[start] !== 0x5b || payload[end - 1] !== 0x5d) continue;
    if (left-- === 0) return undefined;
    if (sha256(payload.subarray(start, end)).equals(digest.sha256)) return { start, end };
  }
  return undefined;
}

function space(payload: Buffer, pos: number): number {
  while (payload[pos] === 0x20 || payload[pos] === 0x0a || payload[pos] === 0x0d || payload[pos] === 0x09) pos++;
  return pos;
}
