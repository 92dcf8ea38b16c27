/**
 * The data may grow by this factor before the age is reduced again, because files grow a little even while PostgreSQL
 * reuses free space in them.
 */
const growth = 1.05;
/** Each step reduces the age to this share of the current age. */
const share = 0.8;
/** If the data takes less than this share of the permitted size, the disk no longer limits the age. */
const enough = 0.7;
/** An age is never reduced below this share of its setting. */
const least = 1 / 100;

export interface AgedSize {
  readonly bytes: number;
  readonly ageMs: number;
}

/**
 * If the data is larger than permitted, the age limit becomes the current age of the data, or 80 % of the setting if
 * this is less. PostgreSQL's files do not shrink when rows are deleted, so the limit is reduced further only while the
 * files still grow.
 */
export class FittingAge {
  /** Size of the data at the last reduction, and the age limit. Undefined while the disk does not limit the age. */
  private limited: AgedSize | undefined;

  get ageMs(): number | undefined {
    return this.limited?.ageMs;
  }

  /**
   * Call this method before each cleaning. `mostBytes` is the permitted size, and `wantedMs` is the age limit in the
   * settings.
   */
  look({ bytes, ageMs }: AgedSize, mostBytes: number, wantedMs: number): void {
    const leastMs = wantedMs * least;
    if (bytes <= mostBytes * enough) this.limited = undefined;
    else if (this.limited === undefined) {
      // The data may already be as old as the setting allows, so the age is reduced at once.
      if (bytes > mostBytes) this.limited = { bytes, ageMs: Math.max(leastMs, Math.min(ageMs, wantedMs * share)) };
    } else if (bytes > this.limited.bytes * growth) {
      this.limited = { bytes, ageMs: Math.max(leastMs, this.limited.ageMs * share) };
    }
  }
}
