import { hash } from 'node:crypto';

/**
 * Computes a key of the read tables in the same way as the projections: the first eight bytes of SHA-1(text), signed, big-endian,
 * in decimal digits.
 */
export function key64(text: string): string {
  return digest(stored(text));
}

// U+0000 is stored as U+FFFD, and keys are made from the stored text.
const stored = (text: string): string => text.replaceAll('\0', '\ufffd');

const digest = (text: string): string => hash('sha1', text, 'buffer').readBigInt64BE(0).toString();

/** Returns the key of a leaf's path. Keys of maps and indexes of arrays differ: `"0"` and `0`. */
export function pathKey(path: readonly (string | number)[]): string {
  return digest(
    path.map((element) => (typeof element === 'number' ? `i${element}` : `k${stored(element)}`)).join('\0'),
  );
}

/**
 * Returns the key of a report: the first sixteen bytes of its hash as a UUID, or undefined if the text is not a hash.
 */
export function reportKey(hash: string): string | undefined {
  return /^[0-9a-f]{40}$/.test(hash) ? hash.slice(0, 32) : undefined;
}
