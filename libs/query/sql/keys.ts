import { hash } from 'node:crypto';

/**
 * Computes a key of the read tables as the projections do: the first eight bytes of SHA-1(text) as a signed big-endian
 * number.
 */
export function key64(text: string): string {
  return digest(stored(text));
}

// The projections replace U+0000 before they compute keys.
const stored = (text: string): string => text.replaceAll('\0', '\ufffd');

const digest = (text: string): string => hash('sha1', text, 'buffer').readBigInt64BE(0).toString();

/** Keys of maps differ from indexes of arrays: `"0"` is not `0`. */
export function pathKey(path: readonly (string | number)[]): string {
  return digest(
    path.map((element) => (typeof element === 'number' ? `i${element}` : `k${stored(element)}`)).join('\0'),
  );
}

/** Returns the first sixteen bytes of the hash as a UUID, or undefined if the text is not a hash. */
export function reportKey(hash: string): string | undefined {
  return /^[0-9a-f]{40}$/.test(hash) ? hash.slice(0, 32) : undefined;
}
