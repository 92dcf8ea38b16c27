/**
 * Returns a single string unchanged. Returns a JSON list for several values, for other types, for the empty string, and
 * for a string that begins with `[`.
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
