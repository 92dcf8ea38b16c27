import { Counter } from '#metrics';

/** Measures streams of changes. */
export class StreamMeters {
  /** Number of sent events. An event that is sent in several streams counts once for each of them. */
  readonly sent = new Counter();
  /** Number of streams that ended because their clients read too slowly. */
  readonly cutOff = new Counter();
}
