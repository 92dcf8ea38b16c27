import { Counter, Distribution, Rates, Timer } from '#metrics';

const day = 86_400_000;
const sizeBounds = [1e3, 1e4, 1e5, 2.5e5, 5e5, 1e6, 2.5e6, 5e6, 1e7, 2e7, 5e7];
const retryBounds = [0, 1, 2, 5, 10, 20, 50, 100];

/** Measures the commands of one name and version, or all commands. */
export class CommandMeters {
  // Where the service accepts commands.
  /** Time until the record is durable. */
  readonly appendTime = new Timer();
  /** Appends that are not durable yet. */
  readonly appending = new Counter();
  /** Bytes of payloads as they came. */
  readonly size = new Distribution({ highest: 256e6, bounds: sizeBounds });

  // Where the projector applies commands.
  /** Taken from the log: processed or rejected. */
  readonly seen = new Rates();
  readonly processed = new Rates();
  readonly rejected = new Rates();
  /** Attempts that failed because of the database. */
  readonly retried = new Rates();
  /** Duration of a batch in milliseconds, divided by the number of its commands. */
  readonly processingTime = new Timer();
  /** Milliseconds between the acceptance of a command and the start of its batch. */
  readonly queueTime = new Distribution({ highest: 30 * day, bounds: [...Timer.bounds, 3.6e6, day] });
  /** For each processed command, the number of times that its batch was retried. */
  readonly retryCounts = new Distribution({ highest: 1e6, bounds: retryBounds });
  /** Commands of batches that wait for the database. */
  readonly awaitingRetry = new Counter();
  /** Processed without a change, because something newer was stored. */
  readonly ignored = new Counter();
  /** Processed, but replaced by a newer command of the same batch. */
  readonly superseded = new Counter();
}
