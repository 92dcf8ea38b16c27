import { hash } from 'node:crypto';

/**
 * Longest escaped certname that is not shortened, in characters. File systems allow 255 bytes for the whole file name,
 * with hash and extension.
 */
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
 * Keeps ASCII letters, digits, `-`, `_` and, except at the beginning, `.`. Writes each other byte of the UTF-8 text as
 * `%XX`. So a certname cannot leave its folder, and two certnames never get the same file name. A long name is
 * shortened and ends with `~` and the SHA-1 of the certname.
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
