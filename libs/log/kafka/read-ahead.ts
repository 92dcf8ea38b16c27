import type { ReadLimits } from '../command-log';
import { takeRoundRobin } from '../round-robin';
import type { LogRecord } from '../record';

/** Memory that a record takes besides its payload, roughly. */
const recordBytes = 512;

/** Records that Kafka has delivered and nobody has asked for yet, in order per partition. */
export class ReadAhead {
  /** Partition to the offset that the caller gets next. */
  private readonly next = new Map<number, number>();
  private readonly queues = new Map<number, Map<number, LogRecord>>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get isFull(): boolean {
    return this.bytes >= this.maxBytes;
  }

  get isEmpty(): boolean {
    return this.bytes === 0;
  }

  positionOf(partition: number): number | undefined {
    return this.next.get(partition);
  }

  positions(): ReadonlyMap<number, number> {
    return this.next;
  }

  /** The partition's next record stands there, or further on where a base has nothing. */
  begin(partition: number, offset: number): void {
    this.drop(partition);
    this.next.set(partition, offset);
    this.queues.set(partition, new Map());
  }

  add(record: LogRecord): void {
    const queue = this.queues.get(record.partition);
    if (queue === undefined) return;
    queue.set(record.offset, record);
    this.bytes += record.payload.length + recordBytes;
  }

  take(limits: ReadLimits): LogRecord[] {
    const records = takeRoundRobin(this.next, limits, (partition, offset) => this.queues.get(partition)?.get(offset));
    for (const { partition, offset, payload } of records) {
      this.queues.get(partition)?.delete(offset);
      this.bytes -= payload.length + recordBytes;
    }
    return records;
  }

  drop(partition: number): void {
    for (const { payload } of this.queues.get(partition)?.values() ?? []) this.bytes -= payload.length + recordBytes;
    this.queues.delete(partition);
    this.next.delete(partition);
  }
}
