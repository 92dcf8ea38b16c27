/** Limits on named statements: in total, and new ones in each period. */
const mostNames = 50;
/** A longer statement is sent in full each time. */
const longestText = 4 << 10;
/** Limit on remembered statements that were run only once. */
const mostSeen = 200;

/**
 * Names under which connections prepare repeated statements, so that PostgreSQL parses and plans them once. The number
 * is bounded: each connection lives for one period, so it has the statements of at most two periods.
 */
export class StatementNames {
  /** Names by text, in the order of their last use. */
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

  /** Returns the name of a statement that was run before, or undefined. */
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
