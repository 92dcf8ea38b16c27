import type { JsonText } from '../documents';
import { encodeString } from '../json/strings';

/** Values are seldom nested at all. This is less than any setting of the limit on a document's depth leaves for them. */
const mostLevels = 8;

/**
 * Whether a value contains no object keys that must be sorted. For such values, JSON.stringify writes the same text as
 * `parsedValueText`.
 */
export const hasNoObjects = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Array.isArray(value) && value.every(isScalar));

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/**
 * A value of an event from the language's own parser as `rewrite` spells it for jsonb. Undefined where the parser may have lost
 * something (a large integer), and for values that are nested deeper than usual.
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
