import { randomUUID } from 'node:crypto';
import { Fault } from '#fault';
import { CommandLog, type LogExtent, type LogReader, type PreparedBase, type ReadLimits } from '../command-log';
import { firstRecords, takeRoundRobin } from '../round-robin';
import { partitionOf } from '../partition';
import type { LogContent } from '../log-content';
import type { LogIdentity, LogRecord, NewRecord, Position } from '../record';
import { noPartition, pastEnd } from '../read-faults';
import { noRecord, type RecordLookUp } from '../record-look-up';
import { Wakeup } from '../wakeup';

interface MemoryCommandLogOptions {
  readonly partitions: number;
  readonly logId?: string;
}

/** For each partition: the offset at which the tail begins, and the earlier records that a snapshot has kept. */
interface Base {
  readonly tails: ReadonlyMap<number, number>;
  readonly records: Map<number, LogRecord[]>;
}

const startsOf = ({ tails, records }: Base): Map<number, number> =>
  new Map([...tails].map(([partition, tail]) => [partition, records.get(partition)?.[0]?.offset ?? tail]));

const withoutNext = ({ next: _next, ...record }: LogRecord): LogRecord => record;

/** A log in memory for tests. It fulfils the contract of `CommandLog`, but it is not durable. */
export class MemoryCommandLog extends CommandLog {
  private identity: LogIdentity;
  /**
   * An array for each partition, with the record of each offset. Offset 0 is the header, which readers do not return.
   */
  private records: (LogRecord | undefined)[][];
  /** An array for each partition: for each offset, the time when the record was appended (milliseconds since 1970). */
  private times: number[][];
  private base: Base;
  private readonly wakeup = new Wakeup();
  private readonly closing = new AbortController();

  constructor({ partitions, logId = randomUUID() }: MemoryCommandLogOptions) {
    super();
    this.identity = { logId, partitions };
    this.records = Array.from({ length: partitions }, () => [undefined]);
    this.times = Array.from({ length: partitions }, () => [0]);
    this.base = { tails: new Map(this.records.map((_, partition) => [partition, 1])), records: new Map() };
  }

  open(): Promise<LogIdentity> {
    return Promise.resolve(this.identity);
  }

  async restore(content: LogContent): Promise<void> {
    const { identity, tails } = content;
    if (this.records.some((records) => records.length > 1)) {
      throw new Fault('conflict', 'log.not-empty', 'the log in memory has records already');
    }
    this.identity = identity;
    const partitions = Array.from({ length: identity.partitions }, (_, partition) => partition);
    this.records = partitions.map((partition) => new Array<undefined>(tails.get(partition) ?? 1).fill(undefined));
    this.times = this.records.map((records) => records.map(() => 0));
    for await (const record of content.tail()) {
      this.recordsOf(record.partition).push(record);
      this.times[record.partition]?.push(record.receivedAt);
    }
    await (await this.prepareBase(tails, content.base())).commit();
  }

  append(record: NewRecord): Promise<Position> {
    if (this.closing.signal.aborted) {
      return Promise.reject(new Fault('busy', 'log.unavailable', 'the log is closed'));
    }
    const partition = partitionOf(record.certname, this.identity.partitions);
    const records = this.recordsOf(partition);
    const position = { partition, offset: records.length };
    records.push({ ...record, ...position, payload: Buffer.from(record.payload) });
    this.times[partition]?.push(Date.now());
    this.wakeup.notify();
    return Promise.resolve(position);
  }

  reader(start: ReadonlyMap<number, number>): LogReader {
    return this.readerOf(() => this.base, start);
  }

  readonly lookUp: RecordLookUp = async (positions, maxBytes) => {
    const found: LogRecord[] = [];
    let bytes = 0;
    for (const position of positions) {
      const { partition, offset } = position;
      const record = this.recordAt(this.base, partition, offset);
      if (record?.offset !== offset) throw noRecord(position);
      bytes += record.payload.length;
      if (found.length > 0 && bytes > maxBytes) break;
      found.push(withoutNext(record));
    }
    return found;
  };

  ends(): Promise<ReadonlyMap<number, number>> {
    return Promise.resolve(new Map(this.records.map((records, partition) => [partition, records.length])));
  }

  async extent(): Promise<LogExtent> {
    return { starts: startsOf(this.base), tails: this.base.tails, ends: await this.ends() };
  }

  offsetsSince(time: number): Promise<ReadonlyMap<number, number>> {
    return Promise.resolve(
      new Map(
        [...this.base.tails].map(([partition, tail]) => {
          const times = this.times[partition] as number[];
          const found = times.findIndex((at, offset) => offset >= tail && at >= time);
          return [partition, found < 0 ? times.length : found];
        }),
      ),
    );
  }

  async prepareBase(tails: ReadonlyMap<number, number>, records: AsyncIterable<LogRecord>): Promise<PreparedBase> {
    const made: Base = { tails: new Map(tails), records: new Map() };
    for await (const given of records) {
      const record = withoutNext(given);
      const kept = { ...record, payload: Buffer.from(record.payload) };
      const ofPartition = made.records.get(record.partition);
      if (ofPartition === undefined) made.records.set(record.partition, [kept]);
      else ofPartition.push(kept);
    }
    return {
      starts: () => Promise.resolve(startsOf(made)),
      reader: (start) => this.readerOf(() => made, start),
      commit: async () => {
        this.base = made;
      },
      discard: async () => undefined,
    };
  }

  async truncate(): Promise<void> {
    for (const [partition, tail] of this.base.tails) this.recordsOf(partition).fill(undefined, 0, tail);
  }

  close(): Promise<void> {
    this.closing.abort();
    return Promise.resolve();
  }

  private readerOf(base: () => Base, start: ReadonlyMap<number, number>): LogReader {
    const next = firstRecords(start);
    const closed = new AbortController();
    const recordAt = (partition: number, offset: number): LogRecord | undefined =>
      this.recordAt(base(), partition, offset);
    return {
      next: async (limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]> => {
        this.check(next);
        const signals = [this.closing.signal, closed.signal, signal];
        while (!signals.some((one) => one?.aborted)) {
          const records = takeRoundRobin(next, limits, recordAt);
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

  private recordAt(base: Base, partition: number, offset: number): LogRecord | undefined {
    const tail = base.tails.get(partition) ?? 1;
    if (offset >= tail) return this.recordsOf(partition)[offset];
    const kept = base.records.get(partition) ?? [];
    const index = kept.findIndex((record) => record.offset >= offset);
    const record = kept[index];
    return record === undefined
      ? this.recordsOf(partition)[tail]
      : { ...record, next: kept[index + 1]?.offset ?? tail };
  }

  private check(next: ReadonlyMap<number, number>): void {
    for (const [partition, offset] of next) {
      const end = this.recordsOf(partition).length;
      if (offset <= end) continue;
      throw pastEnd(partition, offset, end);
    }
  }

  private recordsOf(partition: number): (LogRecord | undefined)[] {
    const records = this.records[partition];
    if (records === undefined) throw noPartition(partition);
    return records;
  }
}
