/**
 * Formats values of a fact as a parameter of the address. A single string stays unchanged: `fact.role=web`. Several
 * values, values that are not strings, and strings that begin with `[` become a JSON list: `["web","api"]`, `[true]`.
 */
export function encodeValues(values: readonly unknown[]): string {
  const [only] = values;
  return values.length === 1 && typeof only === 'string' && only !== '' && !only.startsWith('[')
    ? only
    : JSON.stringify(values);
}

export function decodeValues(text: string): readonly unknown[] {
  if (!text.startsWith('[')) return [text];
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values : [text];
  } catch {
    return [text];
  }
}
