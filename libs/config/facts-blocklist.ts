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
 * Returns a function that tests whether the list blocks a fact, or undefined if the list is empty. An entry is a name,
 * which must be equal to the name of the fact, or a pattern, which can match any part of it.
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
