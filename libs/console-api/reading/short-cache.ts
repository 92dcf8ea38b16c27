interface Entry {
  readonly text: string;
  readonly at: number;
}

interface ShortCacheOptions {
  readonly mostCharacters: number;
  readonly now?: () => number;
}

/** Caches answers for a short time. If equal requests arrive while an answer is being read, they share this answer. */
export class ShortCache {
  /** Oldest first. */
  private readonly entries = new Map<string, Entry>();
  private readonly flights = new Map<string, Promise<string>>();
  private characters = 0;
  private readonly now: () => number;

  constructor(private readonly options: ShortCacheOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Returns an answer that is younger than `forMs`. If there is none, calls `make` and returns its result. */
  get(key: string, forMs: number, make: () => Promise<string>): Promise<string> {
    const entry = this.entries.get(key);
    if (entry !== undefined && this.now() - entry.at < forMs) return Promise.resolve(entry.text);
    let flight = this.flights.get(key);
    if (flight === undefined) {
      // An answer is as old as the beginning of its reading.
      const at = this.now();
      flight = make()
        .then((text) => {
          this.keep(key, { text, at });
          return text;
        })
        .finally(() => this.flights.delete(key));
      this.flights.set(key, flight);
    }
    return flight;
  }

  private keep(key: string, entry: Entry): void {
    this.remove(key);
    this.entries.set(key, entry);
    this.characters += key.length + entry.text.length;
    for (const oldest of this.entries.keys()) {
      if (this.characters <= this.options.mostCharacters) return;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.characters -= key.length + entry.text.length;
  }
}
