import { Fault } from '#fault';
import type { BrokerLink, PartitionMessages, PartitionOutcome } from './broker-link';

interface Parcel extends PartitionMessages {
  readonly bytes: number;
  resolve(baseOffset: number): void;
  reject(error: unknown): void;
}

/** A larger batch is sent alone. Kafka accepts 100 MB (`socket.request.max.bytes`). */
const requestBytes = 32 << 20;

/**
 * Sends one request at a time, because a broker handles the requests on a connection one after another. Batches that
 * arrive during a request share the next request.
 */
export class ProduceConnection {
  private waiting: Parcel[] = [];
  private running: Promise<void> | undefined;

  constructor(private readonly link: BrokerLink) {}

  /** Returns the offset of the first message. */
  send(batch: PartitionMessages): Promise<number> {
    const bytes = batch.messages.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...batch, bytes, resolve, reject });
      this.running ??= this.run();
    });
  }

  close(): void {
    this.link.close();
    const closed = new Fault('busy', 'log.unavailable', 'the log is being closed');
    for (const parcel of this.waiting.splice(0)) parcel.reject(closed);
  }

  private async run(): Promise<void> {
    // Waits for batches that arrive in the same turn of the event loop.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const parcels = this.next();
      let outcomes: readonly PartitionOutcome[];
      try {
        outcomes = await this.link.produce(parcels);
      } catch (error) {
        outcomes = parcels.map(() => ({ error: error as Error }));
        // Also rejects the batches that wait, so that their senders look up the leader again. At this broker, these
        // batches could wait for a long time and then fail, too.
        for (const parcel of this.waiting.splice(0)) parcel.reject(error);
      }
      outcomes.forEach((outcome, index) => {
        const parcel = parcels[index] as Parcel;
        if ('error' in outcome) parcel.reject(outcome.error);
        else parcel.resolve(outcome.baseOffset);
      });
    }
    this.running = undefined;
  }

  /** Returns the next batches in order, at most one for each partition. */
  private next(): Parcel[] {
    const taken: Parcel[] = [];
    const left: Parcel[] = [];
    const partitions = new Set<string>();
    let bytes = 0;
    for (const parcel of this.waiting) {
      const name = `${parcel.topic}/${parcel.partition}`;
      const fits = taken.length === 0 || bytes + parcel.bytes <= requestBytes;
      if (partitions.has(name) || !fits) {
        left.push(parcel);
      } else {
        taken.push(parcel);
        bytes += parcel.bytes;
      }
      // Also marks the partition of a batch that does not fit, so that no later batch of this partition overtakes it.
      partitions.add(name);
    }
    this.waiting = left;
    return taken;
  }
}
