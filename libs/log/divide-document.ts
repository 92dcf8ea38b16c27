import { hash } from 'node:crypto';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { gunzipWithinSync } from '#limits';
import type { DividedDocument, FindSections, LeftOutSection, Section } from './document-parts';
import { cut } from './cut';
import type { LogRecord, PayloadEncoding } from './record';

/** Larger documents are stored whole, so that no document occupies a thread for long. */
const largestDocument = 8 << 20;
/** Smaller sections save too little: a reference takes 44 bytes, and each piece takes a row. */
const leastSection = 2 << 10;
const compression = { level: 6 };

/** Returns undefined if the text is too large, or if the payload is not gzip although its encoding says so. */
export function plainDocument(payload: Uint8Array, encoding: PayloadEncoding): Buffer | undefined {
  if (encoding === 'identity') {
    return payload.length > largestDocument
      ? undefined
      : Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  }
  try {
    return gunzipWithinSync(payload, largestDocument);
  } catch {
    return undefined;
  }
}

export interface FoundSection extends LeftOutSection, Pick<Section, 'boundary'> {
  readonly bytes: Buffer;
}

export function leaveOut(
  document: Buffer,
  found: readonly Section[],
  hashOf: (section: Section) => Buffer,
): { readonly sections: readonly FoundSection[]; readonly compressedRest: Buffer } | undefined {
  const large = found.filter(({ start, end }) => end - start >= leastSection);
  if (large.length === 0) return undefined;
  const rest: Buffer[] = [];
  const sections: FoundSection[] = [];
  let [end, at] = [0, 0];
  for (const section of large) {
    const { start, weight, boundary } = section;
    rest.push(document.subarray(end, start));
    at += start - end;
    end = section.end;
    const bytes = document.subarray(start, end);
    sections.push({ at, length: bytes.length, weight, boundary, sha256: hashOf(section), bytes });
  }
  rest.push(document.subarray(end));
  return { sections, compressedRest: gzipSync(Buffer.concat(rest), compression) };
}

export const compressPiece = (piece: Buffer): Buffer => deflateRawSync(piece, compression);

/** Returns undefined if the document is too large, is not gzip, or has no large section. */
export function divideDocument(
  { command, payload, encoding }: Pick<LogRecord, 'command' | 'payload' | 'encoding'>,
  findSections: FindSections,
): DividedDocument | undefined {
  const document = plainDocument(payload, encoding);
  if (document === undefined) return undefined;
  const found = findSections(command, document, () => undefined);
  const left = leaveOut(document, found, ({ start, end }) => hash('sha256', document.subarray(start, end), 'buffer'));
  if (left === undefined) return undefined;
  return {
    ...left,
    length: document.length,
    pieces: (section) => {
      const { bytes, boundary } = section as FoundSection;
      return Promise.resolve([...cut(bytes, boundary)].map(compressPiece));
    },
  };
}
