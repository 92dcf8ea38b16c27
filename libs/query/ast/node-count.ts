import { checkLimit, type Limits, overLimit } from '#limits';

/**
 * Counts what a reader makes of a text, while it reads: lists, names and values, and how deep they lie in one another.
 * Fault: `query.limit` as soon as there are too many, or for a text that is too long to begin with.
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

  /** One more list, name or value. */
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
