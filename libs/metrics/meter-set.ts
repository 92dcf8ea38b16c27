/** With more meters than this, unexpected values of labels share one meter. */
const mostMeters = 1_000;
const others = 'other';

export interface LabelledMeter<M> {
  /** One value for each label of the set. */
  readonly labels: readonly string[];
  readonly meter: M;
}

/**
 * Meters of one kind with one or two labels, created at first use. Finding one creates no objects. Callers take the
 * values of labels from fixed tables; the bound protects against a mistake.
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

  /** Like `of`, but returns undefined for a meter that was never used. */
  find(first: string, second = ''): M | undefined {
    return this.meters.get(first)?.get(second);
  }

  /** Returns the used meters, oldest first. */
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
