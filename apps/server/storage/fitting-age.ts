/** Sizes are compared with this factor, because files grow a little while their free space is used again. */
const growth = 1.05;
/** Each step keeps this share of the age. */
const share = 0.8;
/** The age is not limited any more if the data takes less than this share of what it may take. */
const enough = 0.7;
/** No age is shortened to less than this share of the setting. */
const least = 1 / 100;

/** What a kind of data takes on the disk, and the age of its oldest part. */
export interface AgedSize {
  readonly bytes: number;
  /** In milliseconds. */
  readonly ageMs: number;
}

/**
 * An age limit that fits the disk. If the data takes more than its share, it may not become older than it is. Files of
 * PostgreSQL do not shrink when rows are deleted: their space is used again. So if the files still grow, the limit is
 * shortened step by step, until they do not.
 */
export class FittingAge {
  /** Size when the age was last limited. */
  private limited: AgedSize | undefined;

  /** The age limit, or undefined if the disk does not limit it. */
  get ageMs(): number | undefined {
    return this.limited?.ageMs;
  }

  /** Call this before each cleaning. `mostBytes`: the share of the disk. `wantedMs`: the age limit of the settings. */
  look({ bytes, ageMs }: AgedSize, mostBytes: number, wantedMs: number): void {
    const leastMs = wantedMs * least;
    if (bytes <= mostBytes * enough) this.limited = undefined;
    else if (this.limited === undefined) {
      // Data may already be as old as the setting allows.
      if (bytes > mostBytes) this.limited = { bytes, ageMs: Math.max(leastMs, Math.min(ageMs, wantedMs * share)) };
    } else if (bytes > this.limited.bytes * growth) {
      this.limited = { bytes, ageMs: Math.max(leastMs, this.limited.ageMs * share) };
    }
  }
}
