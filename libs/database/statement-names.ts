/** How many statements have names at once, and how many may get one in each period. */
const mostNames = 50;
/** A longer statement is sent as a whole each time. */
const longestText = 4 << 10;
/** How many statements that were run only once are remembered. */
const mostSeen = 200;

/**
 * The names under which connections prepare statements: of those that are asked again and again, so that PostgreSQL parses and
 * plans them once. Bounded: each connection lives for one period, and so has statements of at most two periods.
 */
export class StatementNames {
  /** By text, in the order of their last use. */
  private readonly names = new Map<string, string>();
  private readonly seen = new Set<string>();
  private made = 0;
  private madeInPeriod = 0;
  private periodBegan = -Infinity;

  constructor(
    private readonly periodMs: number,
    /** Milliseconds. */
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** The name of a statement that is asked for the second time or more often; undefined without one. */
  nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known === undefined) return this.isAskedAgain(text) ? this.make(text) : undefined;
    this.names.delete(text);
    this.names.set(text, known);
    return known;
  }

  private isAskedAgain(text: string): boolean {
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
