import { randomUUID } from 'node:crypto';
import { Fault } from '#fault';
import { CommandLog, type LogReader, type ReadLimits } from '../command-log';
import { firstRecords, takeFairly } from '../fair-take';
import { partitionOf } from '../partition';
import type { LogIdentity, LogRecord, NewRecord, Position } from '../record';
import { Wakeup } from '../wakeup';

export interface MemoryCommandLogOptions {
  readonly partitions: number;
  readonly logId?: string;
}

/** A log that lives as long as its object: for tests, with the port's whole contract but durability. */
export class MemoryCommandLog extends CommandLog {
  private readonly identity: LogIdentity;
  /** By partition; index 0 is the header, which no reader gives. */
  private readonly records: (LogRecord | undefined)[][];
  private readonly wakeup = new Wakeup();
  private readonly closing = new AbortController();

  constructor({ partitions, logId = randomUUID() }: MemoryCommandLogOptions) {
    super();
    this.identity = { logId, partitions };
    this.records = Array.from({ length: partitions }, () => [undefined]);
  }

  open(): Promise<LogIdentity> {
    return Promise.resolve(this.identity);
  }

  append(record: NewRecord): Promise<Position> {
    if (this.closing.signal.aborted) {
      return Promise.reject(new Fault('busy', 'log.unavailable', 'the log is closed'));
    }
    const partition = partitionOf(record.certname, this.identity.partitions);
    const records = this.recordsOf(partition);
    const position = { partition, offset: records.length };
    records.push({ ...record, ...position, payload: Buffer.from(record.payload) });
    this.wakeup.notify();
    return Promise.resolve(position);
  }

  reader(start: ReadonlyMap<number, number>): LogReader {
    const next = firstRecords(start);
    const closed = new AbortController();
    const recordAt = (partition: number, offset: number): LogRecord | undefined => this.recordsOf(partition)[offset];
    return {
      next: async (limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]> => {
        this.check(next);
        const signals = [this.closing.signal, closed.signal, signal];
        while (!signals.some((one) => one?.aborted)) {
          const records = takeFairly(next, limits, recordAt);
          if (records.length > 0) return records;
          await this.wakeup.wait(...signals);
        }
        return [];
      },
      close: () => {
        closed.abort();
        return Promise.resolve();
      },
    };
  }

  ends(): Promise<ReadonlyMap<number, number>> {
    return Promise.resolve(new Map(this.records.map((records, partition) => [partition, records.length])));
  }

  close(): Promise<void> {
    this.closing.abort();
    return Promise.resolve();
  }

  private check(next: ReadonlyMap<number, number>): void {
    for (const [partition, offset] of next) {
      const end = this.recordsOf(partition).length;
      if (offset <= end) continue;
      throw new Fault(
        'broken',
        'log.past-end',
        `offset ${offset} of partition ${partition} lies past the log's end, ${end}`,
      );
    }
  }

  private recordsOf(partition: number): (LogRecord | undefined)[] {
    const records = this.records[partition];
    if (records === undefined) {
      throw new Fault('missing', 'log.no-partition', `the log has no partition ${partition}`);
    }
    return records;
  }
}
