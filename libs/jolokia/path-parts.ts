/**
 * Cuts a path at its slashes. `!/` stands for a slash inside a part, `!!` for an exclamation mark; before any other
 * character the mark is dropped. An empty part at the end does not count.
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

/** The path that pathParts would cut into these parts. */
export const joinParts = (parts: readonly string[]): string =>
  parts.map((part) => part.replace(/[!/]/g, '!$&')).join('/');
