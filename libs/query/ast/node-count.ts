import { checkLimit, type Limits, overLimit } from '#limits';

/**
 * Counts the lists, names and values of a query and their depth while it is parsed. Throws the fault `query.limit` as
 * soon as there are too many, or at once for a text that is too long.
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

  /** Counts one more list, name or value. */
  add(): void {
    if (++this.nodes > this.limits.queryNodes) throw overLimit(this.limits, 'queryNodes');
  }

  /** Everything until `leave` is one level deeper. */
  enter(): void {
    if (++this.depth > this.limits.queryDepth) throw overLimit(this.limits, 'queryDepth');
  }

  leave(): void {
    this.depth--;
  }
}
