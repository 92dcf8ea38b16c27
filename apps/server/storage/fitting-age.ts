/** Tolerance for sizes: files grow a little while PostgreSQL uses their free space again. */
const growth = 1.05;
/** Each step reduces the age to this share. */
const share = 0.8;
/** The limit on the age ends if the data takes less than this share of the permitted size. */
const enough = 0.7;
/** Smallest share of the setting to which an age is reduced. */
const least = 1 / 100;

/** The size of a kind of data on the disk, and the age of its oldest part. */
export interface AgedSize {
  readonly bytes: number;
  /** In milliseconds. */
  readonly ageMs: number;
}

/**
 * An age limit that depends on the disk. If the data is larger than permitted, its current age becomes the limit. The
 * files of PostgreSQL do not shrink when rows are deleted, but PostgreSQL uses their space again. So if the files
 * still grow, the limit is reduced step by step until they stop growing.
 */
export class FittingAge {
  /** Size when the age was last limited. */
  private limited: AgedSize | undefined;

  /** The age limit, or undefined if the disk does not limit it. */
  get ageMs(): number | undefined {
    return this.limited?.ageMs;
  }

  /**
   * Call this before each cleaning. `mostBytes` is the permitted size, and `wantedMs` is the age limit of the
   * settings.
   */
  look({ bytes, ageMs }: AgedSize, mostBytes: number, wantedMs: number): void {
    const leastMs = wantedMs * least;
    if (bytes <= mostBytes * enough) this.limited = undefined;
    else if (this.limited === undefined) {
      // Reduces the age at once, because the data may already be as old as the setting allows.
      if (bytes > mostBytes) this.limited = { bytes, ageMs: Math.max(leastMs, Math.min(ageMs, wantedMs * share)) };
    } else if (bytes > this.limited.bytes * growth) {
      this.limited = { bytes, ageMs: Math.max(leastMs, this.limited.ageMs * share) };
    }
  }
}
