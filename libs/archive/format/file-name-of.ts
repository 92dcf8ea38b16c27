import { hash } from 'node:crypto';

/** Longer names are cut off: file systems end at 255 bytes, and a hash and an extension follow. */
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
 * A certname as part of a file's name: ASCII letters, digits, `-`, `_` and, after the first, `.` stay as they are, all
 * other bytes of its UTF-8 text are `%XX`. So no certname leaves its folder, and no two have one name. A long name is
 * cut off and followed by `~` and the SHA-1 of the whole.
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
