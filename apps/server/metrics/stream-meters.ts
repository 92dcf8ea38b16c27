import { Counter } from '#metrics';

/** Measures streams of changes. */
export class StreamMeters {
  /** Number of sent events. Counts an event once for each stream. */
  readonly sent = new Counter();
  /** Number of streams that ended because their clients read too slowly. */
  readonly cutOff = new Counter();
}
