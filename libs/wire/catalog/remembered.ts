/**
 * What was read from equal text before, by the text's hash. Bounded: when full, the older half is forgotten. Reading is a
 * function of the text alone, so remembering changes how long it takes and nothing else.
 */
export class Remembered<V> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();

  constructor(private readonly capacity: number) {}

  get(key: string): V | undefined {
    const value = this.young.get(key);
    if (value !== undefined) return value;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    this.young.set(key, value);
    if (this.young.size < this.capacity / 2) return;
    this.old = this.young;
    this.young = new Map();
  }
}
