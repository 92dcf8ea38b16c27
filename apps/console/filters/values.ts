/**
 * Writes values of a fact for the address. A single string is written unchanged: `fact.role=web`. Other values, and
 * strings that begin with `[`, are written as a JSON list: `["web","api"]`, `[true]`.
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
