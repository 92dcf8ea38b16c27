/**
 * Values of facts in the address. A single text stands there as it is: `fact.role=web`. All others are JSON: `["web","api"]`, `[true]`. A text that
 * begins with `[` is JSON, too.
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
