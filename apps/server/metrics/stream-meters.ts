import { Counter } from '#metrics';

export class StreamMeters {
  /** An event that is sent in several streams counts once for each stream. */
  readonly sent = new Counter();
  readonly cutOff = new Counter();
}
