import type { Database } from '#database';
import { Fault } from '#fault';
import type { LogReader, ReadLimits } from '../command-log';
import { firstRecords, takeFairly } from '../fair-take';
import type { LogRecord } from '../record';
import type { Wakeup } from '../wakeup';
import { binaryRows } from './copy-binary';
import type { RecordCache } from './record-cache';
import { copyRecords, recordOf } from './statements';

/** What a reader sees of its log. */
export interface ReaderSource {
  readonly db: Database;
  readonly cache: RecordCache;
  readonly wakeup: Wakeup;
  readonly closing: AbortSignal;
  /** Lowest offset of each partition that is not known to be readable yet; throws where the log is no longer ours. */
  knownEnds(): ReadonlyMap<number, number>;
  /** Asks the database for them. */
  refreshEnds(): Promise<void>;
  /** The reader has moved on. */
  moved(): void;
  closed(reader: EmbeddedReader): void;
}

export class EmbeddedReader implements LogReader {
  /** Partition to the offset that comes next. */
  readonly position: Map<number, number>;
  private readonly ending = new AbortController();
  private checked = false;
  private cacheTurn = true;

  constructor(
    private readonly source: ReaderSource,
    start: ReadonlyMap<number, number>,
  ) {
    this.position = firstRecords(start);
  }

  async next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]> {
    const { source } = this;
    const signals = [source.closing, this.ending.signal, signal];
    const over = (): boolean => signals.some((one) => one?.aborted);
    if (!this.checked && !over()) await this.check();
    while (!over()) {
      const records = await this.take(limits);
      if (records.length > 0) return records;
      await source.wakeup.wait(...signals);
    }
    return [];
  }

  close(): Promise<void> {
    if (!this.ending.signal.aborted) {
      this.ending.abort();
      this.source.closed(this);
    }
    return Promise.resolve();
  }

  /** Positions that this log never gave out belong to another one, or to one that lost its end. */
  private async check(): Promise<void> {
    await this.source.refreshEnds();
    const ends = this.source.knownEnds();
    for (const [partition, offset] of this.position) {
      const end = ends.get(partition);
      if (end === undefined) {
        throw new Fault('missing', 'log.no-partition', `the log has no partition ${partition}`);
      }
      if (offset > end) {
        throw new Fault(
          'broken',
          'log.past-end',
          `offset ${offset} of partition ${partition} lies past the log's end, ${end}`,
          {
            hint: 'The log was restored from an older state than the read tables: restore both from one backup, or rebuild.',
            details: { partition, offset, end },
          },
        );
      }
    }
    this.checked = true;
  }

  private async take(limits: ReadLimits): Promise<LogRecord[]> {
    const { cache } = this.source;
    const ends = this.source.knownEnds();
    const cached = new Map<number, number>();
    const stored = new Map<number, number>();
    for (const [partition, offset] of this.position) {
      if (offset >= (ends.get(partition) ?? 0)) continue;
      (cache.get(partition, offset) === undefined ? stored : cached).set(partition, offset);
    }
    if (cached.size === 0 && stored.size === 0) return [];
    // Where both have something, they take turns.
    this.cacheTurn = stored.size === 0 || (cached.size > 0 && !this.cacheTurn);
    const records = this.cacheTurn
      ? takeFairly(this.position, limits, (partition, offset) => cache.get(partition, offset))
      : await this.read(stored, limits);
    this.source.moved();
    return records;
  }

  private async read(wanted: ReadonlyMap<number, number>, limits: ReadLimits): Promise<LogRecord[]> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.source.db.copyOut(copyRecords(wanted, limits))) chunks.push(chunk);
    const records: LogRecord[] = [];
    const next = new Map(wanted);
    for (const fields of binaryRows(Buffer.concat(chunks))) {
      const record = recordOf(fields);
      const { partition, offset } = record;
      if (offset !== next.get(partition)) throw gap(partition, next.get(partition) ?? 0, offset);
      next.set(partition, offset + 1);
      records.push(record);
    }
    const [first] = wanted;
    if (records.length === 0 && first !== undefined) throw gap(...first, undefined);
    for (const [partition, offset] of next) this.position.set(partition, offset);
    return records;
  }
}

function gap(partition: number, wanted: number, found: number | undefined): Fault {
  const instead = found === undefined ? 'nothing' : `offset ${found}`;
  return new Fault(
    'broken',
    'log.gap',
    `offset ${wanted} of partition ${partition} is missing from the log; ${instead} follows`,
    {
      hint: 'Records were removed from the log. Restore it from a backup; reading does not skip.',
      details: { partition, wanted, found },
    },
  );
}
