import type { LogRecord } from '../record';

/** Newly appended records, for readers in the same process; bounded by the bytes of their payloads, oldest out first. */
export class RecordCache {
  private readonly partitions = new Map<number, Map<number, LogRecord>>();
  private readonly order: LogRecord[] = [];
  private oldest = 0;
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(record: LogRecord): void {
    let records = this.partitions.get(record.partition);
    if (records === undefined) this.partitions.set(record.partition, (records = new Map()));
    records.set(record.offset, record);
    this.order.push(record);
    this.bytes += record.payload.length;
    while (this.bytes > this.maxBytes) this.removeOldest();
  }

  get(partition: number, offset: number): LogRecord | undefined {
    return this.partitions.get(partition)?.get(offset);
  }

  /** Lets go of the records that every reader has passed. */
  dropPassed(isPassed: (record: LogRecord) => boolean): void {
    while (this.oldest < this.order.length && isPassed(this.order[this.oldest] as LogRecord)) this.removeOldest();
  }

  private removeOldest(): void {
    const record = this.order[this.oldest++] as LogRecord;
    this.bytes -= record.payload.length;
    this.partitions.get(record.partition)?.delete(record.offset);
    if (this.oldest > 512 && this.oldest * 2 > this.order.length) {
      this.order.splice(0, this.oldest);
      this.oldest = 0;
    }
  }
}
