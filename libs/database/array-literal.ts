const needsEscape = /["\\]/;
const escapes = /["\\]/g;

/**
 * A PostgreSQL array literal for one text parameter that is cast, e.g. `$1::text[]`. Strings are always quoted;
 * bytea elements go as `\x...` text.
 */
export function arrayLiteral(values: readonly (string | number | boolean | null)[]): string {
  let literal = '{';
  for (let index = 0; index < values.length; index++) {
    if (index > 0) literal += ',';
    const value = values[index];
    if (value === null || value === undefined) literal += 'NULL';
    else if (typeof value === 'string') {
      literal += needsEscape.test(value) ? `"${value.replace(escapes, '\\$&')}"` : `"${value}"`;
    } else literal += String(value);
  }
  return literal + '}';
}
