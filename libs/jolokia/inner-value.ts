import type { JsonValue } from './mbean';

const wildcard = '*';

/**
 * Returns the value at a path, or null if there is none. The step `*` selects all members of a map in which the rest of
 * the path leads to a value.
 */
export function innerValue(value: JsonValue, path: readonly string[]): JsonValue {
  return inner(value, path, 0) ?? null;
}

function inner(value: JsonValue, path: readonly string[], at: number): JsonValue | undefined {
  const step = path[at];
  if (step === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (step !== wildcard) {
    const found = Object.hasOwn(value, step) ? (value as Readonly<Record<string, JsonValue>>)[step] : undefined;
    return found === undefined ? undefined : inner(found, path, at + 1);
  }
  const left: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    const found = inner(member, path, at + 1);
    if (found !== undefined) left[key] = found;
  }
  return Object.keys(left).length === 0 ? undefined : left;
}

/** Replaces each value that is nested deeper than `depth` levels by its text. */
export function cutAtDepth(value: JsonValue, depth: number | undefined): JsonValue {
  if (depth === undefined || value === null) return value;
  if (depth === 0) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one: JsonValue) => cutAtDepth(one, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cutAtDepth(one, depth - 1)]));
}
