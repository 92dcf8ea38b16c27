const needsEscape = /["\\]/;
const escapes = /["\\]/g;

/**
 * Returns the text of an array, for a parameter with a cast such as `$1::text[]`. Elements of type bytea must be texts
 * of the form `\x...`.
 */
export function arrayLiteral(values: readonly (string | number | boolean | null)[]): string {
  if (values.length === 0) return '{}';
  // One test of the joined strings is several times faster than a test of each string.
  if (values.every(isString) && !needsEscape.test(values.join())) return `{"${values.join('","')}"}`;
  return `{${values.map(element).join()}}`;
}

const isString = (value: unknown): value is string => typeof value === 'string';

function element(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value !== 'string') return String(value);
  return needsEscape.test(value) ? `"${value.replace(escapes, '\\$&')}"` : `"${value}"`;
}

/** Returns SQL for a text in ISO 8601, UTC, with milliseconds. `time` must be trusted SQL. */
export const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
