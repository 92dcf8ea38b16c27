import { hash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { LeftOutSection } from './document-parts';

type SectionDigest = Pick<LeftOutSection, 'length' | 'sha256'>;

/** Throws a RangeError if a piece is missing or was changed. */
export const wholeSection = (section: SectionDigest, pieces: readonly Buffer[]): Buffer =>
  joinPieces(
    section,
    pieces.map((piece) => inflateRawSync(piece, { maxOutputLength: section.length + 1 })),
  );

/** Throws a RangeError if a piece is missing or was changed. */
export function joinPieces({ length, sha256 }: SectionDigest, pieces: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(pieces);
  if (bytes.length !== length || !hash('sha256', bytes, 'buffer').equals(sha256)) {
    throw new RangeError(`section ${sha256.toString('hex')} is not what was stored`);
  }
  return bytes;
}

/** Throws a RangeError if the result does not have `length` bytes. */
export function wholeDocument(
  rest: Buffer,
  length: number,
  sections: readonly { readonly at: number; readonly bytes: Buffer }[],
): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { at, bytes } of sections) {
    parts.push(rest.subarray(from, at), bytes);
    from = at;
  }
  parts.push(rest.subarray(from));
  const whole = Buffer.concat(parts);
  if (whole.length !== length) throw new RangeError(`${whole.length} bytes came, not ${length}`);
  return whole;
}
