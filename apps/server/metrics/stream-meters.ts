import { Counter } from '#metrics';

export class StreamMeters {
  /** An event that is sent in several streams counts once for each stream. */
  readonly sent = new Counter();
  /** Streams that ended because their clients read too slowly. */
  readonly cutOff = new Counter();
}
