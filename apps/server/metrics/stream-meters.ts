import { Counter } from '#metrics';

/** Measures streams of changes. */
export class StreamMeters {
  /** Events, once for each stream. */
  readonly sent = new Counter();
  /** Streams whose clients read too slowly. */
  readonly cutOff = new Counter();
}
