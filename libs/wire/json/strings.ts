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

const loneSurrogates = /\p{Surrogate}/gu;
const mustEscape = /[\u0000-\u001f"\\]/;
const allToEscape = /[\u0000-\u001f"\\]/g;

/**
 * The text that a checked JSON string stands for; `inner` is what stands between its quotes. Half a surrogate pair, which
 * only an escape can spell, becomes `?`: the reference stores it so, and UTF-8 cannot hold it.
 */
export function decodeString(inner: string): string {
  let at = inner.indexOf('\\');
  if (at === -1) return inner;
  let text = '';
  let from = 0;
  let surrogates = false;
  while (at !== -1) {
    text += inner.slice(from, at);
    const character = inner[at + 1]!;
    if (character === 'u') {
      const unit = Number.parseInt(inner.slice(at + 2, at + 6), 16);
      surrogates ||= unit >= 0xd800 && unit < 0xe000;
      text += String.fromCharCode(unit);
      from = at + 6;
    } else {
      text += simple[character]!;
      from = at + 2;
    }
    at = inner.indexOf('\\', from);
  }
  text += inner.slice(from);
  return surrogates ? text.replace(loneSurrogates, '?') : text;
}

/** A text as a JSON string: escapes only for quote, backslash and characters below U+0020 (`\u001F`, in capitals). */
export function encodeString(text: string): string {
  if (!mustEscape.test(text)) return `"${text}"`;
  return `"${text.replace(allToEscape, (c) => written[c] ?? `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)}"`;
}
