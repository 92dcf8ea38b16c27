import { Fault } from '#fault';
import { BrokerLink, type PartitionMessages, type PartitionOutcome } from './broker-link';
import type { Leader } from './topic-leaders';
import type { KafkaConnection } from './kafka-connection';

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
export class ProduceLane {
  private readonly link: BrokerLink;
  private waiting: Parcel[] = [];
  private running: Promise<void> | undefined;

  constructor(connection: KafkaConnection, leader: Leader) {
    this.link = new BrokerLink(connection, leader);
  }

  /** The offset of the first message. Rejects with what the broker said of this partition, or why it could not be asked. */
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
    // What the same turn of the event loop still brings goes along.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const parcels = this.next();
      let outcomes: readonly PartitionOutcome[];
      try {
        outcomes = await this.link.produce(parcels);
      } catch (error) {
        outcomes = parcels.map(() => ({ error: error as Error }));
        // Who waits looks first whether the partition is still here: another request to this broker could take as long.
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

  /** In the order in which they came, but each partition once: a request has one batch of each. */
  private next(): Parcel[] {
    const taken: Parcel[] = [];
    const left: Parcel[] = [];
    const places = new Set<string>();
    let bytes = 0;
    for (const parcel of this.waiting) {
      const place = `${parcel.topic}/${parcel.partition}`;
      const fits = taken.length === 0 || bytes + parcel.bytes <= requestBytes;
      if (places.has(place) || !fits) {
        left.push(parcel);
      } else {
        taken.push(parcel);
        bytes += parcel.bytes;
      }
      // Also of one that is left: what comes later to its partition must not overtake it.
      places.add(place);
    }
    this.waiting = left;
    return taken;
  }
}
