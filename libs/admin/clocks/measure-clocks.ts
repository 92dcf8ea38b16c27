/** The times of both clocks at one moment, as exactly as the measurement allows. */
export interface ClockReading {
  /** Time of the process, in milliseconds since 1970. */
  readonly processTime: number;
  readonly databaseTime: number;
  /**
   * Milliseconds by which the process's clock is ahead of the database's clock. The number is negative if the process's
   * clock is behind.
   */
  readonly aheadMs: number;
  /** Largest possible error of `aheadMs`, in milliseconds. */
  readonly uncertainMs: number;
}

interface ClockSources {
  /** Reads the process's clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Reads a monotonic clock, in milliseconds. */
  readonly elapsed: () => number;
  /** Reads the database's clock, in milliseconds since 1970. */
  readonly askDatabase: () => Promise<number>;
}

const mostTries = 5;
/** Largest error with which a measurement is accepted without another attempt, in milliseconds. */
const certainMs = 500;

/**
 * Reads both clocks. The database reads its clock at an unknown moment of the round trip. The function therefore
 * compares the database's time with the process's time in the middle of the round trip, and the possible error is half
 * of the round trip.
 *
 * After a long round trip, measures again and returns the measurement with the shortest one. A monotonic clock measures
 * the round trip, because somebody may set the process's clock in the meantime.
 */
export async function measureClocks({ now, elapsed, askDatabase }: ClockSources): Promise<ClockReading> {
  let best: ClockReading | undefined;
  for (let attempt = 0; attempt < mostTries; attempt++) {
    const sentMs = elapsed();
    const databaseTime = await askDatabase();
    const uncertainMs = (elapsed() - sentMs) / 2;
    const processTime = now() - uncertainMs;
    if (best === undefined || uncertainMs < best.uncertainMs) {
      best = { processTime, databaseTime, aheadMs: processTime - databaseTime, uncertainMs };
    }
    if (best.uncertainMs <= certainMs) break;
  }
  return best as ClockReading;
}
