/**
 * Splits a path at slashes. Decodes `!/` as a slash and `!!` as an exclamation mark, and drops an exclamation mark
 * before any other character. Ignores an empty part at the end.
 */
export function pathParts(path: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < path.length; at++) {
    const character = path[at] as string;
    if (character === '!' && at + 1 < path.length) part += path[++at];
    else if (character === '/') {
      parts.push(part);
      part = '';
    } else part += character;
  }
  if (part !== '') parts.push(part);
  return parts;
}

/** Joins parts to a path, from which `pathParts` makes the same parts. */
export const joinParts = (parts: readonly string[]): string =>
  parts.map((part) => part.replace(/[!/]/g, '!$&')).join('/');
