/**
 * If the tables keep a past, part n contains the n-th document of each node. The batch writes the parts in this order,
 * so that the past tables get the earlier versions. Otherwise the only part contains the newest document of each node.
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

  newest(key: Key): Value | undefined {
    const count = this.counts.get(key) ?? 0;
    return this.parts[this.keepsPast ? count - 1 : 0]?.get(key);
  }
}
