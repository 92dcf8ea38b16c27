import type { Members } from '../check/members';
import { trait } from '../json/scan';

export type Parsed = Readonly<Record<string, unknown>>;

/**
 * Parses an array member with JSON.parse. Returns undefined if the member contains numbers other than plain integers,
 * or `\u` escapes, because the result could differ from the text. JSON.parse can round large integers, so callers must
 * check integers with `isPlainInteger`. For strings without `\u` escapes, JSON.stringify writes the same text as
 * `encodeString`.
 */
export function parsedElements<K extends string>(members: Members<K>, name: K): readonly unknown[] | undefined {
  if (members.kind(name) !== 'array' || (members.traits(name) & trait.respelt) !== 0) return undefined;
  const raw = members.raw(name);
  if ((members.traits(name) & trait.escape) !== 0 && raw.includes('\\u')) return undefined;
  try {
    return JSON.parse(raw) as unknown[];
  } catch {
    // The text contains unescaped control characters, which JSON.parse refuses.
    return undefined;
  }
}

export function isObjectOf(value: unknown, names: readonly string[], optional?: string): value is Parsed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  let left = names.length;
  for (const key in value) {
    if (names.includes(key)) left--;
    else if (key !== optional) return false;
  }
  return left === 0;
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';
export const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
/** Returns whether a value is an integer that JSON.parse has not rounded. */
export const isPlainInteger = (value: unknown): value is number => Number.isSafeInteger(value);
