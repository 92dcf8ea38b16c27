/** A query that the viewer ran. The console stores the last queries in the browser only. */
interface Entry {
  readonly query: string;
  readonly at: number;
}
const key = 'nodeledger.queries';
const most = 8;

export function readHistory(): readonly Entry[] {
  try {
    const entries: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(entries) ? entries.filter(isEntry).slice(0, most) : [];
  } catch {
    return [];
  }
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Entry).query === 'string' &&
  typeof (value as Entry).at === 'number';

export function remember(query: string): readonly Entry[] {
  const entries = [{ query, at: Date.now() }, ...readHistory().filter((entry) => entry.query !== query)].slice(0, most);
  try {
    localStorage.setItem(key, JSON.stringify(entries));
  } catch {
    // If the browser refuses to store the list, the list lasts until the page is closed.
  }
  return entries;
}
