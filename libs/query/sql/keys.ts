import { hash } from 'node:crypto';

/**
 * The keys of the read tables, computed as the projections compute them: the first eight bytes of SHA-1(text), signed,
 * big-endian, in decimal.
 */
export function key64(text: string): string {
  return digest(stored(text));
}

// U+0000 is stored as U+FFFD, and keys are made of what is stored.
const stored = (text: string): string => text.replaceAll('\0', '\ufffd');

const digest = (text: string): string => hash('sha1', text, 'buffer').readBigInt64BE(0).toString();

/** The key of a leaf's path: keys and indexes are told apart, so `"0"` and `0` differ. */
export function pathKey(path: readonly (string | number)[]): string {
  return digest(
    path.map((element) => (typeof element === 'number' ? `i${element}` : `k${stored(element)}`)).join('\0'),
  );
}

/** The key of a report: the first sixteen bytes of its hash as UUID text; undefined where the text is no such hash. */
export function reportKey(hash: string): string | undefined {
  return /^[0-9a-f]{40}$/.test(hash) ? hash.slice(0, 32) : undefined;
}
