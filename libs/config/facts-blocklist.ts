/** Describes valid values, after "expected …". */
export const blocklistForm =
  'names of facts separated by commas; one in slashes, as /^mem.*_mb$/, is a regular expression';

const pattern = /^\/(.+)\/$/;

/** Returns the entries, or undefined if a pattern is not a valid regular expression. */
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
 * Returns a function that matches the names of facts to leave out: a name exactly, a pattern anywhere in the name.
 * Undefined for an empty list.
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
