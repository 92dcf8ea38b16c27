/** The two clocks as they were read at the same moment, as well as that can be known. */
export interface ClockReading {
  /** Epoch milliseconds. */
  readonly processTime: number;
  readonly databaseTime: number;
  /** How far the process's clock is ahead of the database's; negative: behind. Milliseconds. */
  readonly aheadMs: number;
  /** The true difference is at most so much more or less. Milliseconds. */
  readonly uncertainMs: number;
}

interface ClockSources {
  /** The process's clock, epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds on a clock that nobody sets. */
  readonly elapsed: () => number;
  /** The database's clock, epoch milliseconds. */
  readonly askDatabase: () => Promise<number>;
}

const mostTries = 5;
/** A reading as certain as this is good enough. */
const certainMs = 500;

/**
 * Reads both clocks. The database read its own somewhere between question and answer, so the process's time in the middle
 * is compared, and half of the round trip is what is not known. Where the round trip is long, asks again and takes the
 * shortest. How long it took is measured with a clock that nobody sets: the other one may be set meanwhile.
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
