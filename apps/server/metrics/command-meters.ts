import { Counter, Distribution, Rates, Timer } from '#metrics';

const day = 86_400_000;
const sizeBounds = [1e3, 1e4, 1e5, 2.5e5, 5e5, 1e6, 2.5e6, 5e6, 1e7, 2e7, 5e7];
const retryBounds = [0, 1, 2, 5, 10, 20, 50, 100];

/** What is measured of commands: of one command and version, or of all together. */
export class CommandMeters {
  // Where commands are taken.
  /** Until the record is durable. */
  readonly appendTime = new Timer();
  /** Appends that wait for that. */
  readonly appending = new Counter();
  /** Bytes of payloads as they came. */
  readonly size = new Distribution({ highest: 256e6, bounds: sizeBounds });

  // Where they are projected.
  /** Taken from the log: processed or rejected. */
  readonly seen = new Rates();
  readonly processed = new Rates();
  readonly rejected = new Rates();
  /** Attempts that the database made fail. */
  readonly retried = new Rates();
  /** Milliseconds of a batch, divided by its commands. */
  readonly processingTime = new Timer();
  /** Milliseconds between the acceptance of a command and the begin of its batch. */
  readonly queueTime = new Distribution({ highest: 30 * day, bounds: [...Timer.bounds, 3.6e6, day] });
  /** Of each processed command: how often its batch had to be tried again. */
  readonly retryCounts = new Distribution({ highest: 1e6, bounds: retryBounds });
  /** Commands of the batch that waits for the database. */
  readonly awaitingRetry = new Counter();
  /** Processed without a change, because something newer was stored. */
  readonly ignored = new Counter();
  /** Processed, but replaced by a newer command of the same batch. */
  readonly superseded = new Counter();
}
