const needsEscape = /["\\]/;
const escapes = /["\\]/g;

/**
 * For one text parameter with a cast, such as `$1::text[]`. Always quotes strings. Elements of type bytea must be
 * `\x...` text.
 */
export function arrayLiteral(values: readonly (string | number | boolean | null)[]): string {
  if (values.length === 0) return '{}';
  // One test of the joined strings is several times faster than a test of each string, and few strings need an escape.
  if (values.every(isString) && !needsEscape.test(values.join())) return `{"${values.join('","')}"}`;
  return `{${values.map(element).join()}}`;
}

const isString = (value: unknown): value is string => typeof value === 'string';

function element(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value !== 'string') return String(value);
  return needsEscape.test(value) ? `"${value.replace(escapes, '\\$&')}"` : `"${value}"`;
}
