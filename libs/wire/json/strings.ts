const simple: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const written: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const escapes = /\\(?:u([0-9a-fA-F]{4})|(.))/g;
const loneSurrogates = /\p{Surrogate}/gu;
const mustEscape = /[\u0000-\u001f"\\]/;
const allToEscape = /[\u0000-\u001f"\\]/g;

/**
 * The text that a checked JSON string stands for; `inner` is what stands between its quotes. Half a surrogate pair, which
 * only an escape can spell, becomes `?`: the reference stores it so, and UTF-8 cannot hold it.
 */
export function decodeString(inner: string): string {
  if (!inner.includes('\\')) return inner;
  const text = inner.replace(escapes, (_, hex: string | undefined, character: string) =>
    hex === undefined ? simple[character]! : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return text.replace(loneSurrogates, '?');
}

/** A text as a JSON string: escapes only for quote, backslash and characters below U+0020 (`\u001F`, in capitals). */
export function encodeString(text: string): string {
  if (!mustEscape.test(text)) return `"${text}"`;
  return `"${text.replace(allToEscape, (c) => written[c] ?? `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)}"`;
}
