/** The two clocks at the same moment, as exactly as that can be measured. */
export interface ClockReading {
  /** Milliseconds since 1970. */
  readonly processTime: number;
  readonly databaseTime: number;
  /** Milliseconds by which the process's clock is ahead of the database's; negative if it is behind. */
  readonly aheadMs: number;
  /** Largest error of `aheadMs`, milliseconds. */
  readonly uncertainMs: number;
}

interface ClockSources {
  /** The process's clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Monotonic clock, milliseconds. */
  readonly elapsed: () => number;
  /** Reads the database's clock, milliseconds since 1970. */
  readonly askDatabase: () => Promise<number>;
}

const mostTries = 5;
/** A smaller error than this is not needed. */
const certainMs = 500;

/**
 * Reads both clocks. The database reads its clock at some moment of the round trip, so its time is compared with the
 * process's time in the middle, and half of the round trip is the possible error. After a long round trip, measures
 * again and takes the shortest. Measures the round trip with a monotonic clock, because somebody may set the other one
 * meanwhile.
 */
export async function measureClocks({ now, elapsed, askDatabase }: ClockSources): Promise<ClockReading> {
  let best: ClockReading | undefined;
  for (let attempt = 0; attempt < mostTries; attempt++) {
    const asked = elapsed();
    const databaseTime = await askDatabase();
    const uncertainMs = (elapsed() - asked) / 2;
    const processTime = now() - uncertainMs;
    if (best === undefined || uncertainMs < best.uncertainMs) {
      best = { processTime, databaseTime, aheadMs: processTime - databaseTime, uncertainMs };
    }
    if (best.uncertainMs <= certainMs) break;
  }
  return best as ClockReading;
}
