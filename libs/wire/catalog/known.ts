import { hash } from 'node:crypto';
import type { CatalogSections, SectionDigest } from '../documents';
import { leaveOut, type Range } from '../leave-out';
import { sectionStart } from './section-start';

export interface CatalogRest {
  readonly text: string;
  readonly offsets: { readonly resources: number; readonly edges: number };
}

/**
 * Each attempt hashes a range of bytes that is as long as the known section. If no hash matches after this number of
 * attempts, the section counts as changed.
 */
const attempts = 3;

/**
 * Removes both sections from a catalog's bytes if they equal those of `known`, otherwise returns undefined. The removed
 * bytes may belong to a deeper object. So the caller must check that `offsets` are the offsets of the members
 * `resources` and `edges`.
 */
export function leaveOutKnown(payload: Buffer, known: CatalogSections): CatalogRest | undefined {
  const [first, second] = inOrder(payload);
  const before = findSection(payload, first, known[first], 0);
  if (before === undefined) return undefined;
  const after = findSection(payload, second, known[second], before.end);
  if (after === undefined) return undefined;
  const { text, offsets } = leaveOut(payload, [before, after]);
  const [resources, edges] = (first === 'resources' ? offsets : offsets.toReversed()) as [number, number];
  return { text, offsets: { resources, edges } };
}

type SectionName = keyof CatalogSections;

const startOf = (payload: Buffer, name: SectionName, from: number): number => sectionStart(payload, `"${name}"`, from);

/**
 * The first section usually begins within this number of bytes. Searching all bytes of a catalog would take as long as
 * finding both sections.
 */
const usualStart = 64 << 10;

function inOrder(payload: Buffer): readonly [SectionName, SectionName] {
  const start = payload.subarray(0, usualStart);
  const edges = startOf(start, 'edges', 0);
  const resources = startOf(start, 'resources', 0);
  return edges !== -1 && (resources === -1 || edges < resources) ? ['edges', 'resources'] : ['resources', 'edges'];
}

/** `start` and `end` are offsets in the text of the payload, in UTF-16 units. */
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
