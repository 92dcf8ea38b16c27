/**
 * Factor by which the data may grow before the age is reduced again. Files grow a little even while PostgreSQL uses
 * free space in them again.
 */
const growth = 1.05;
/** Each step reduces the age to this share of the current age. */
const share = 0.8;
/** If the data takes less than this share of the permitted size, the disk no longer limits the age. */
const enough = 0.7;
/** An age is never reduced below this share of its setting. */
const least = 1 / 100;

/** The size on the disk of one kind of data, such as reports, and the age of its oldest part. */
export interface AgedSize {
  readonly bytes: number;
  /** Age in milliseconds. */
  readonly ageMs: number;
}

/**
 * An age limit that depends on the disk. If the data is larger than permitted, its current age becomes the limit. The
 * files of PostgreSQL do not shrink when rows are deleted, but PostgreSQL uses their space again. So if the files
 * still grow, the limit is reduced step by step until they stop growing.
 */
export class FittingAge {
  /** Size of the data when the age was last reduced, and the limit. Undefined while the disk does not limit the age. */
  private limited: AgedSize | undefined;

  /** The age limit, or undefined if the disk does not limit it. */
  get ageMs(): number | undefined {
    return this.limited?.ageMs;
  }

  /**
   * Call this before each cleaning. `mostBytes` is the permitted size, and `wantedMs` is the age limit in the settings.
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
