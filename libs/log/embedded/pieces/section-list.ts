import type { LeftOutSection } from '../../document-parts';

export const hashBytes = 32;
const entryBytes = 12 + hashBytes;

export function writeSections(sections: readonly LeftOutSection[]): Buffer {
  const bytes = Buffer.alloc(sections.length * entryBytes);
  sections.forEach(({ at, length, weight, sha256 }, index) => {
    const start = index * entryBytes;
    bytes.writeUInt32BE(at, start);
    bytes.writeUInt32BE(length, start + 4);
    bytes.writeUInt32BE(weight, start + 8);
    sha256.copy(bytes, start + 12);
  });
  return bytes;
}

export function readSections(bytes: Buffer): LeftOutSection[] {
  const sections: LeftOutSection[] = [];
  for (let start = 0; start + entryBytes <= bytes.length; start += entryBytes) {
    sections.push({
      at: bytes.readUInt32BE(start),
      length: bytes.readUInt32BE(start + 4),
      weight: bytes.readUInt32BE(start + 8),
      sha256: bytes.subarray(start + 12, start + entryBytes),
    });
  }
  return sections;
}
