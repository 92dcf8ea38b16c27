const written = new Map<string, string>([
  ...Array.from({ length: 0x20 }, (_, unit): [string, string] => [
    String.fromCharCode(unit),
    `\\u${unit.toString(16).toUpperCase().padStart(4, '0')}`,
  ]),
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

const loneSurrogates = /\p{Surrogate}/gu;
const spelledSurrogate = /\\u[dD][89a-fA-F]/;
const mustEscape = /[\u0000-\u001f"\\]/;
const allToEscape = /[\u0000-\u001f"\\]/g;
const bare = /[\u0000-\u001f]/;
const allBare = /[\u0000-\u001f]/g;

/** Number of characters in which escapes are replaced at once. Replacing takes many times the memory of the text. */
const pieceCharacters = 1 << 16;

/**
 * `inner` is the valid text between the quotes. As in PuppetDB, an unpaired surrogate becomes `?`, because UTF-8 cannot
 * represent it.
 */
export function decodeString(inner: string): string {
  if (!inner.includes('\\')) return inner;
  const text = unescapeString(inner);
  return spelledSurrogate.test(inner) ? replaced(text, loneSurrogates, () => '?') : text;
}

/** Works like `decodeString`, but keeps unpaired surrogates. */
export function unescapeString(inner: string): string {
  if (!inner.includes('\\')) return inner;
  // JSON.parse needs memory only for its result, but it refuses unescaped control characters.
  return JSON.parse(`"${bare.test(inner) ? replaced(inner, allBare, escapeOf) : inner}"`) as string;
}

/** Escapes only quotes, backslashes and characters below U+0020, with capital digits (`\u001F`). */
export function encodeString(text: string): string {
  if (!mustEscape.test(text)) return `"${text}"`;
  return `"${replaced(text, allToEscape, escapeOf)}"`;
}

const escapeOf = (c: string): string => written.get(c)!;

/** Works like `text.replace`, but in pieces. No piece ends within a surrogate pair. */
function replaced(text: string, pattern: RegExp, by: (found: string) => string): string {
  if (text.length <= pieceCharacters) return text.replace(pattern, by);
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + pieceCharacters);
    while (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to++;
    pieces.push(text.slice(from, to).replace(pattern, by));
    from = to;
  }
  return pieces.join('');
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
