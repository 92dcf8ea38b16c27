/**
 * Values of facts in the address. A single text is written unchanged: `fact.role=web`. All other values are JSON:
 * `["web","api"]`, `[true]`. A text that begins with `[` is written as JSON, too.
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
