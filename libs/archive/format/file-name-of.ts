import { hash } from 'node:crypto';

/** File systems allow 255 bytes for a name, including the hash and the extension. */
const longest = 150;
const keptOfLonger = 100;

const isPlain = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x2e ||
  byte === 0x5f;

/**
 * Returns a certname as part of a file name. ASCII letters, digits, `-`, `_` and, except at the beginning, `.` are kept;
 * each other byte of the UTF-8 text becomes `%XX`. So no certname can leave its folder, and two certnames have different
 * names. A long name is cut off and followed by `~` and the SHA-1 of the whole name.
 */
export function fileNameOf(certname: string): string {
  let name = '';
  for (const byte of Buffer.from(certname)) {
    const plain = isPlain(byte) && (byte !== 0x2e || name !== '');
    name += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    if (name.length > longest) {
      return `${name.slice(0, keptOfLonger).replace(/%.?$/, '')}~${hash('sha1', certname)}`;
    }
  }
  return name;
}
