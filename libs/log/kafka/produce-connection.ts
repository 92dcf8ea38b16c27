import { Fault } from '#fault';
import type { BrokerLink, PartitionMessages, PartitionOutcome } from './broker-link';

interface Parcel extends PartitionMessages {
  readonly bytes: number;
  resolve(baseOffset: number): void;
  reject(error: unknown): void;
}

/** Most bytes of one request. Kafka takes 100 MB (`socket.request.max.bytes`); a single larger batch still goes alone. */
const requestBytes = 32 << 20;

/**
 * Sends to one broker. Only one request is in flight, because a broker handles the requests of a connection one after another.
 * Appends that arrive in the meantime, for any of the broker's partitions, are sent in the next request.
 */
export class ProduceConnection {
  private waiting: Parcel[] = [];
  private running: Promise<void> | undefined;

  constructor(private readonly link: BrokerLink) {}

  /** Returns the offset of the first message. Throws the error of the broker for this partition, or of the connection. */
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
        // Their senders look up the leader again first: another request to this broker could take as long.
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

  /** Returns the next batches in their order, at most one of each partition. */
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
      // Also if the batch is left for later: the next batch of its partition must not overtake it.
      partitions.add(name);
    }
    this.waiting = left;
    return taken;
  }
}
