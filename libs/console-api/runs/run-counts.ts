/**
 * The service caches the counts of each half hour, because reading the reports of two weeks takes long. After a half
 * hour has ended, few of its counts change.
 */
export const bucketMs = 1_800_000;
export const mostDays = 14;
/** Number of half hours that one statement reads together. */
const bucketsAtOnce = 12;
const mostBuckets = (mostDays * 86_400_000) / bucketMs + 2 * bucketsAtOnce;

export const runKinds = ['failed', 'noop', 'changed', 'unchanged'] as const;
export type RunKind = (typeof runKinds)[number];

export interface Bucket {
  /** The environment is null for the runs of the rarest environments, if there are too many environments to list. */
  readonly runs: readonly { readonly environment: string | null; readonly kind: RunKind; readonly count: number }[];
  /** `first` is the time, in ISO 8601, of the first run with the code_id in the environment. */
  readonly codes: readonly { readonly environment: string; readonly code_id: string; readonly first: string }[];
}

interface Kept {
  readonly bucket: Bucket;
  readonly readAt: number;
}

/**
 * Reads the half hours that begin at or after `from` and before `to` (milliseconds since 1970). A half hour without
 * runs may be missing from the result.
 */
export type ReadBuckets = (from: number, to: number) => Promise<ReadonlyMap<number, Bucket>>;

const none: Bucket = { runs: [], codes: [] };

/**
 * Returns how old, in milliseconds, the cached counts of a half hour may be. Counts still change when reports arrive
 * late, and when age limits or deletions remove reports.
 */
function longestAge(endedMsAgo: number): number {
  if (endedMsAgo < bucketMs) return 2_000;
  return endedMsAgo < 86_400_000 ? 60_000 : 600_000;
}

/** Caches the counts. If several calls need the same half hours at the same time, these are read only once. */
export class RunCounts {
  private readonly kept = new Map<number, Kept>();
  private readonly flights = new Map<number, Promise<void>>();

  constructor(private readonly now: () => number = Date.now) {}

  /** `from` and `to` must be multiples of `bucketMs`. */
  async between(from: number, to: number, read: ReadBuckets): Promise<ReadonlyMap<number, Bucket>> {
    await Promise.all(this.stale(from, to).flatMap((start) => this.flights.get(start) ?? []));
    for (const start of this.stale(from, to)) {
      const flight = this.flights.get(start) ?? this.fly(start, read);
      await flight;
    }
    const found = new Map<number, Bucket>();
    for (let at = from; at < to; at += bucketMs) found.set(at, this.kept.get(at)?.bucket ?? none);
    return found;
  }

  private stale(from: number, to: number): number[] {
    const slice = bucketsAtOnce * bucketMs;
    return [...new Set(this.staleBuckets(from, to).map((at) => Math.floor(at / slice) * slice))];
  }

  private staleBuckets(from: number, to: number): number[] {
    const now = this.now();
    const found: number[] = [];
    for (let at = from; at < to; at += bucketMs) {
      const kept = this.kept.get(at);
      if (kept === undefined || now - kept.readAt > longestAge(now - at - bucketMs)) found.push(at);
    }
    return found;
  }

  private fly(start: number, read: ReadBuckets): Promise<void> {
    const readAt = this.now();
    const end = start + bucketsAtOnce * bucketMs;
    const [first = start] = this.staleBuckets(start, end);
    const flight = read(first, end)
      .then((buckets) => {
        for (let at = first; at < end; at += bucketMs) this.kept.set(at, { bucket: buckets.get(at) ?? none, readAt });
        this.forgetOldest();
      })
      .finally(() => this.flights.delete(start));
    this.flights.set(start, flight);
    return flight;
  }

  private forgetOldest(): void {
    if (this.kept.size <= mostBuckets) return;
    const oldest = [...this.kept.keys()].sort((one, other) => one - other).slice(0, this.kept.size - mostBuckets);
    for (const at of oldest) this.kept.delete(at);
  }
}
