export const blocklistForm =
  'names of facts separated by commas; one in slashes, as /^mem.*_mb$/, is a regular expression';

const pattern = /^\/(.+)\/$/;

export function readBlocklist(text: string): string[] | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  try {
    blocklist(entries);
  } catch {
    return undefined;
  }
  return entries;
}

/**
 * A name matches the whole name of a fact, and a pattern matches any part of the name. Returns undefined if the list is
 * empty.
 */
export function blocklist(entries: readonly string[]): ((name: string) => boolean) | undefined {
  if (entries.length === 0) return undefined;
  const names = new Set(entries.filter((entry) => !pattern.test(entry)));
  const patterns = entries.flatMap((entry) => {
    const inside = pattern.exec(entry)?.[1];
    return inside === undefined ? [] : [new RegExp(inside, 'u')];
  });
  return (name) => names.has(name) || patterns.some((one) => one.test(name));
}
