/** When a set has this many meters, new label values share one meter. */
const mostMeters = 1_000;
const others = 'other';

export interface LabelledMeter<M> {
  /** In the order of the set's labels. */
  readonly labels: readonly string[];
  readonly meter: M;
}

/**
 * A meter is created at its first use, and later look-ups create no objects. Callers take label values from fixed
 * tables, so a set normally stays far below the limit on its meters.
 */
export class MeterSet<M extends object> {
  private readonly meters = new Map<string, Map<string, M>>();
  private readonly made: LabelledMeter<M>[] = [];

  constructor(
    readonly labels: readonly [string] | readonly [string, string],
    private readonly make: () => M,
  ) {}

  of(first: string, second = ''): M {
    return this.meters.get(first)?.get(second) ?? this.add(first, second);
  }

  /** Unlike `of`, creates no meter. */
  find(first: string, second = ''): M | undefined {
    return this.meters.get(first)?.get(second);
  }

  /** New meters are always at the end of the list. */
  all(): readonly LabelledMeter<M>[] {
    return this.made;
  }

  private add(first: string, second: string): M {
    if (this.made.length >= mostMeters && first !== others) return this.of(others, second === '' ? '' : others);
    const meter = this.make();
    const seconds = this.meters.get(first) ?? new Map<string, M>();
    this.meters.set(first, seconds.set(second, meter));
    this.made.push({ labels: this.labels.length === 1 ? [first] : [first, second], meter });
    return meter;
  }
}
