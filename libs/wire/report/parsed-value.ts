import type { JsonText } from '../documents';
import { encodeString } from '../json/strings';

/**
 * Few values are deeper. Every setting of the limit on the depth of documents allows more levels, so these values are
 * within the limit.
 */
const mostLevels = 8;

/** Maps need sorted keys. For other values, JSON.stringify writes the text that `parsedValueText` returns. */
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
