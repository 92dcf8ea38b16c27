/**
 * Length of a half hour in milliseconds. The number of runs in each half hour is cached in memory, because reading the
 * reports of two weeks takes a long time. After a half hour has ended, few of these numbers change.
 */
export const bucketMs = 1_800_000;
export const mostDays = 14;
/** Number of half hours that one statement reads. Such a group of half hours is a slice. */
const bucketsAtOnce = 12;
const mostBuckets = (mostDays * 86_400_000) / bucketMs + 2 * bucketsAtOnce;

export const runKinds = ['failed', 'noop', 'changed', 'unchanged'] as const;
export type RunKind = (typeof runKinds)[number];

export interface Bucket {
  /**
   * Number of runs for each environment and kind. If a large fleet has too many environments, the environment of the
   * rarest is null.
   */
  readonly runs: readonly { readonly environment: string | null; readonly kind: RunKind; readonly count: number }[];
  /** For each environment and code_id, the time of its first run, in ISO 8601. */
  readonly codes: readonly { readonly environment: string; readonly code_id: string; readonly first: string }[];
}

interface Kept {
  readonly bucket: Bucket;
  readonly readAt: number;
}

/**
 * Reads the half hours that begin at or after `from` and before `to`, in milliseconds since 1970. The result may lack
 * half hours without runs.
 */
export type ReadBuckets = (from: number, to: number) => Promise<ReadonlyMap<number, Bucket>>;

const none: Bucket = { runs: [], codes: [] };

/**
 * Returns the longest time in milliseconds for which the counts of a half hour may be used. Counts change when reports
 * arrive late, and when age limits or deletions remove reports.
 */
function longestAge(endedMsAgo: number): number {
  if (endedMsAgo < bucketMs) return 2_000;
  return endedMsAgo < 86_400_000 ? 60_000 : 600_000;
}

/** Caches the counts of half hours. Calls that need the same half hours at the same time read them once. */
export class RunCounts {
  private readonly kept = new Map<number, Kept>();
  private readonly flights = new Map<number, Promise<void>>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Returns the half hours from `from` to `to`. Both must be multiples of `bucketMs`. */
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

  /** Returns the starts of the slices that contain half hours whose counts are too old. */
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
    // Reads from the first half hour whose count is too old. Half hours before it are not read again.
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
