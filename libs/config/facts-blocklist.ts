/** How the setting is written, completing "expected …". */
export const blocklistForm =
  'names of facts separated by commas; one in slashes, as /^mem.*_mb$/, is a regular expression';

const pattern = /^\/(.+)\/$/;

/** The entries of the setting's text; undefined where a pattern is no regular expression. */
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

/** Tells the names that the entries leave out: a name as it is, a pattern anywhere in a name. Undefined: none are. */
export function blocklist(entries: readonly string[]): ((name: string) => boolean) | undefined {
  if (entries.length === 0) return undefined;
  const names = new Set(entries.filter((entry) => !pattern.test(entry)));
  const patterns = entries.flatMap((entry) => {
    const inside = pattern.exec(entry)?.[1];
    return inside === undefined ? [] : [new RegExp(inside, 'u')];
  });
  return (name) => names.has(name) || patterns.some((one) => one.test(name));
}
