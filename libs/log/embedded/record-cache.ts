import type { LogRecord } from '../record';

/** Limit on the empty entries at the start of `order` before they are removed together. */
const cutOffAtOnce = 512;

/**
 * Keeps newly appended records in memory for readers of the same process. Removes the oldest records if the payloads
 * exceed `maxBytes`.
 */
export class RecordCache {
  private readonly partitions = new Map<number, Map<number, LogRecord>>();
  /** Records in the order of their appends. Entries before index `oldest` are undefined. */
  private readonly order: (LogRecord | undefined)[] = [];
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

  /** Removes the oldest records as long as `isPassed` returns true. */
  dropPassed(isPassed: (record: LogRecord) => boolean): void {
    while (this.oldest < this.order.length && isPassed(this.order[this.oldest] as LogRecord)) this.removeOldest();
  }

  private removeOldest(): void {
    const record = this.order[this.oldest] as LogRecord;
    this.order[this.oldest++] = undefined;
    this.bytes -= record.payload.length;
    this.partitions.get(record.partition)?.delete(record.offset);
    if (this.oldest > cutOffAtOnce && this.oldest > this.order.length - this.oldest) {
      this.order.splice(0, this.oldest);
      this.oldest = 0;
    }
  }
}
