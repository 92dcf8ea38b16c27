export interface ClockReading {
  readonly processTime: number;
  readonly databaseTime: number;
  /** Negative if the process's clock is behind the database's clock. */
  readonly aheadMs: number;
  /** Largest possible error of `aheadMs`, in milliseconds. */
  readonly uncertainMs: number;
}

interface ClockSources {
  readonly now: () => number;
  /** Must be monotonic. */
  readonly elapsed: () => number;
  readonly askDatabase: () => Promise<number>;
}

const mostTries = 5;
/** If the error of a measurement is below this value, no further attempt is needed. */
const certainMs = 500;

/**
 * The database reads its clock at an unknown moment of the round trip. So this function compares the database's time
 * with the process's time in the middle of the round trip, and the possible error is half of the round trip. After a
 * long round trip, measures again, and returns the measurement with the shortest round trip. A monotonic clock measures
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
