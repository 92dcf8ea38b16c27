import { hash } from 'node:crypto';
import type { PathElement } from '#wire';

/** A key as decimal text, and as eight bytes of latin1 text. */
interface Key {
  readonly decimal: string;
  readonly bytes: string;
}

function computedKey(text: string): Key {
  const bytes = hash('sha1', text, 'binary').slice(0, 8);
  return { decimal: key64OfBytes(bytes), bytes };
}

// Names of facts, paths and packages come again with every node of a fleet. Emptied when full: a memory, not a store.
const remembered = new Map<string, Key>();
const mostRemembered = 50_000;
/** Longer texts are rare, and many of them would fill the memory. */
const longestRemembered = 400;

function keyOf(text: string): Key {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const key = computedKey(text);
  if (text.length > longestRemembered) return key;
  if (remembered.size >= mostRemembered) remembered.clear();
  // A copy: a slice of a document would keep the whole document in memory.
  remembered.set(Buffer.from(text).toString(), key);
  return key;
}

/** The first eight bytes of SHA-1(text) as a signed big-endian integer, in decimal: the key of a node, fact, environment or producer. */
export const key64 = (text: string): string => keyOf(text).decimal;

/** The same key as eight bytes, as latin1 text. */
export const key64Bytes = (text: string): string => keyOf(text).bytes;

/** The decimal text of a key that is given as eight bytes of latin1 text. */
export const key64OfBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').readBigInt64BE(0).toString();

/** The key of a leaf's path. Elements carry their kind, so that the key "0" of a map and the index 0 of an array differ. */
export function pathKey(path: readonly PathElement[]): string {
  return key64(path.map((element) => (typeof element === 'number' ? `i${element}` : `k${element}`)).join('\0'));
}

/** The first sixteen bytes of a SHA-1 given in hex, as UUID text: the key of a report. */
export function reportKey(hash: string): string {
  return hash.slice(0, 32);
}
