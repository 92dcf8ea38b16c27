/** Largest number of statements that have a name, and of new names in each period. */
const mostNames = 50;
const longestText = 4 << 10;
const mostSeen = 200;

/**
 * Names repeated statements, so that each connection prepares them only once. A connection lives as long as one period,
 * so it prepares the new statements of at most two periods.
 */
export class StatementNames {
  /** Least recently used first. */
  private readonly names = new Map<string, string>();
  private readonly seen = new Set<string>();
  private made = 0;
  private madeInPeriod = 0;
  private periodBegan = -Infinity;

  constructor(
    private readonly periodMs: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known === undefined) return this.isRepeated(text) ? this.make(text) : undefined;
    this.names.delete(text);
    this.names.set(text, known);
    return known;
  }

  private isRepeated(text: string): boolean {
    if (text.length > longestText) return false;
    if (this.seen.has(text)) return true;
    if (this.seen.size === mostSeen) this.seen.clear();
    this.seen.add(text);
    return false;
  }

  private make(text: string): string | undefined {
    const now = this.clock();
    if (now - this.periodBegan >= this.periodMs) {
      this.periodBegan = now;
      this.madeInPeriod = 0;
    }
    if (this.madeInPeriod === mostNames) return undefined;
    this.madeInPeriod++;
    const [oldest] = this.names.keys();
    if (this.names.size === mostNames && oldest !== undefined) this.names.delete(oldest);
    this.seen.delete(text);
    const name = `kept_${++this.made}`;
    this.names.set(text, name);
    return name;
  }
}
