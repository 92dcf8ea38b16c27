/**
 * Documents of a batch by node, divided so that each part has at most one of each node, in the order of the log. If the tables
 * keep their past, each part is written before the next one, so that the earlier versions reach the past. Otherwise there
 * is one part, with the newest document of each node.
 */
export class Versions<Key, Value> {
  readonly parts: Map<Key, Value>[] = [];
  private readonly counts = new Map<Key, number>();

  constructor(private readonly keepsPast: boolean) {}

  add(key: Key, value: Value): void {
    const earlier = this.keepsPast ? (this.counts.get(key) ?? 0) : 0;
    this.counts.set(key, earlier + 1);
    const part = (this.parts[earlier] ??= new Map());
    part.set(key, value);
  }

  /** Returns the newest document of a node. */
  newest(key: Key): Value | undefined {
    const count = this.counts.get(key) ?? 0;
    return this.parts[this.keepsPast ? count - 1 : 0]?.get(key);
  }
}
