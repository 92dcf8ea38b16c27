import type { ReadLimits } from '../command-log';
import { takeRoundRobin } from '../round-robin';
import type { LogRecord } from '../record';

/** Approximate bytes of a record in memory without its payload. */
const recordBytes = 512;

export class ReadAhead {
  /** For each partition, the offset of the next record that `take` returns. */
  private readonly next = new Map<number, number>();
  private readonly queues = new Map<number, Map<number, LogRecord>>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get isFull(): boolean {
    return this.bytes >= this.maxBytes;
  }

  begin(partition: number, offset: number): void {
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
}
