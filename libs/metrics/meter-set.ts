/** Largest number of meters in a set. Beyond this number, new label values share one meter. */
const mostMeters = 1_000;
const others = 'other';

export interface LabelledMeter<M> {
  /** Label values, in the order of the set's labels. */
  readonly labels: readonly string[];
  readonly meter: M;
}

/**
 * Meters of one kind, each with the values of one or two labels. A meter is created at its first use, and later
 * look-ups create no objects. Callers take label values from fixed tables, so the limit on the number of meters is only
 * a protection.
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

  /** Like `of`, but returns undefined if the meter was never used. */
  find(first: string, second = ''): M | undefined {
    return this.meters.get(first)?.get(second);
  }

  /** Returns all meters in the order of their creation. */
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
