import type { Members } from '../check/members';
import { trait } from '../json/scan';

/** An object as the language's own parser gives it. */
export type Parsed = Readonly<Record<string, unknown>>;

/**
 * The elements of an array member as the language's own parser gives them, if it loses nothing: there are no numbers but
 * plain integers, and no escapes of single UTF-16 units. The scan that found the member has checked it, what equal keys
 * supersede included. Undefined otherwise. Large integers are rounded, which `isPlainInteger` tells. JSON.stringify spells the
 * texts as `encodeString` does: the two differ only in what takes an escape of a unit.
 */
export function parsedElements<K extends string>(members: Members<K>, name: K): readonly unknown[] | undefined {
  if (members.kind(name) !== 'array' || (members.traits(name) & trait.respelt) !== 0) return undefined;
  const raw = members.raw(name);
  if ((members.traits(name) & trait.escape) !== 0 && raw.includes('\\u')) return undefined;
  try {
    return JSON.parse(raw) as unknown[];
  } catch {
    // Control characters stand in it as they are.
    return undefined;
  }
}

/** Whether an element is an object with these members and no others, but perhaps one `optional`. */
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
/** Whether a number is the one that was written. */
export const isPlainInteger = (value: unknown): value is number => Number.isSafeInteger(value);
