/** As long as a reader takes at most for a piece that it was given. */
const defaultStallMs = 60_000;

/**
 * Passes pieces on. A reader that does not ask for the next one in time is told to be `stalled`: an export keeps records
 * in the log that a snapshot would remove, so nobody may hold one open by not reading.
 */
export async function* whileRead<T>(
  pieces: AsyncIterable<T>,
  stalled: () => void,
  stallMs = defaultStallMs,
): AsyncGenerator<T, void, undefined> {
  for await (const piece of pieces) {
    const timer = setTimeout(stalled, stallMs);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
  }
}
