/** The longest time in which a reader must ask for the next piece. */
const defaultStallMs = 60_000;

/**
 * Passes pieces on, and calls `stalled` if the reader does not ask for the next piece in time. An open export keeps
 * snapshots from removing records, so a client must not keep it open without reading.
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
