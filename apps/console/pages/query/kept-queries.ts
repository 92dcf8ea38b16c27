export interface KeptQuery {
  readonly query: string;
  readonly at: number;
}

/** In characters. Longer queries are not stored. */
const longest = 20_000;

const isKept = (value: unknown): value is KeptQuery =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as KeptQuery).query === 'string' &&
  typeof (value as KeptQuery).at === 'number';

/** Queries in the storage of the browser, newest first. */
export class KeptQueries {
  constructor(
    private readonly key: string,
    private readonly most: number,
  ) {}

  read(): readonly KeptQuery[] {
    try {
      const entries: unknown = JSON.parse(localStorage.getItem(this.key) ?? '[]');
      return Array.isArray(entries) ? entries.filter(isKept).slice(0, this.most) : [];
    } catch {
      return [];
    }
  }

  add(query: string): readonly KeptQuery[] {
    const others = this.without(query);
    return this.write(query.length > longest ? others : [{ query, at: Date.now() }, ...others]);
  }

  remove(query: string): readonly KeptQuery[] {
    return this.write(this.without(query));
  }

  private without(query: string): readonly KeptQuery[] {
    return this.read().filter((entry) => entry.query !== query);
  }

  private write(entries: readonly KeptQuery[]): readonly KeptQuery[] {
    const kept = entries.slice(0, this.most);
    try {
      localStorage.setItem(this.key, JSON.stringify(kept));
    } catch {
      // If the browser refuses to store the list, the list lasts until the page is closed.
    }
    return kept;
  }
}

export const ranQueries = new KeptQueries('nodeledger.queries', 8);
export const savedQueries = new KeptQueries('nodeledger.saved-queries', 30);
