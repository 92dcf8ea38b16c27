import type { JsonText } from '../documents';
import { encodeString } from '../json/strings';

/**
 * Values with more levels are rare. Values with this many levels never exceed the limit on the depth of documents,
 * which is much higher.
 */
const mostLevels = 8;

/**
 * If this returns true, JSON.stringify writes the text that `parsedValueText` returns. JSON.stringify does not sort the
 * keys of maps.
 */
export const hasNoObjects = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Array.isArray(value) && value.every(isScalar));

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/**
 * Returns the text that `rewrite` writes for jsonb. Returns undefined if JSON.parse may have rounded an integer, or if
 * the value has more than `mostLevels` levels.
 */
export function parsedValueText(value: unknown, level = 0): JsonText | undefined {
  if (typeof value === 'string') return encodeString(value);
  if (value === null || typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'object' || level === mostLevels) return undefined;
  const isList = Array.isArray(value);
  const parts: string[] = [];
  for (const key of isList ? value.keys() : Object.keys(value).sort()) {
    const text = parsedValueText((value as Record<string | number, unknown>)[key], level + 1);
    if (text === undefined) return undefined;
    parts.push(isList ? text : `${encodeString(String(key))}:${text}`);
  }
  return isList ? `[${parts.join()}]` : `{${parts.join()}}`;
}
