import { checkLimit, type Limits, overLimit } from '#limits';

/**
 * Counts the lists, names and values of a query, and the depth of its lists, while the query is parsed. Throws
 * `query.limit` as soon as a limit is exceeded.
 */
export class NodeCount {
  private nodes = 0;
  private depth = 0;

  constructor(
    readonly limits: Limits,
    text: string,
  ) {
    checkLimit(limits, 'queryText', text.length);
  }

  add(): void {
    if (++this.nodes > this.limits.queryNodes) throw overLimit(this.limits, 'queryNodes');
  }

  enter(): void {
    if (++this.depth > this.limits.queryDepth) throw overLimit(this.limits, 'queryDepth');
  }

  leave(): void {
    this.depth--;
  }
}
